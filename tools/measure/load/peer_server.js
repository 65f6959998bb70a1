// A table of boardgame.io, in memory: one move that is checked and kept.
const { Server, Origins } = require("boardgame.io/server");
const game = require("./peer_game.js");

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]) }, () => console.log("ready"));
