// Several tables at once, each moving as soon as its last move has come back; prints moves a second.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const game = require("./peer_game.js");

const [port, tables, seconds] = process.argv.slice(2).map(Number);
let moves = 0;
let end = 0;

function play(number) {
  const client = Client({
    game,
    numPlayers: 2,
    playerID: "0",
    matchID: `table-${number}`,
    debug: false,
    multiplayer: SocketIO({ server: `http://127.0.0.1:${port}` }),
  });
  let seen = -1;
  client.subscribe((state) => {
    if (state === null || !client.getState().isConnected) return;
    const done = state.G.steps.length;
    if (done <= seen) return;
    if (seen >= 0) moves += 1;
    seen = done;
    if (Date.now() < end || end === 0) client.moves.step((state.G.at + 1) % 9);
  });
  client.start();
}

for (let number = 0; number < tables; number += 1) play(number);
setTimeout(() => {
  moves = 0;
  end = Date.now() + seconds * 1000;
  setTimeout(() => {
    console.log(moves / seconds);
    process.exit(0);
  }, seconds * 1000);
}, 2000);
