// A step to one of nine spaces, never to the one that was left last.
module.exports = {
  name: "steps",
  setup: () => ({ at: 0, steps: [] }),
  moves: {
    step: {
      move: ({ G }, to) => {
        if (to === G.at || to < 0 || to > 8) return "INVALID_MOVE";
        G.at = to;
        G.steps.push(to);
      },
      client: false,
    },
  },
};
