// Follows a game live, and tells each entry: node follow.js http://127.0.0.1:8420 TOKEN GAME
import { Client } from "./referee_client.js";

const [url, token, game] = process.argv.slice(2);
const client = new Client(url, token);
for await (const { number, kind } of client.events(game)) {
  if (kind !== "entry") continue;
  const { entries } = await client.entries(game, { after: number - 1, most: 1 });
  for (const entry of entries) console.log(`${entry.entry} ${entry.told}`);
  const table = await client.info(game);
  if (table.over && number + 1 >= table.entries) break;
}
