import { mkdirSync } from "node:fs";
import { dataSet } from "./dataset.ts";
import { cacheFolder, postgresShelf, sqliteShelf } from "./databases.ts";
const [engine, messages] = process.argv.slice(2);
mkdirSync(cacheFolder, { recursive: true });
const shelf = engine === "sqlite" ? sqliteShelf() : postgresShelf("postgres://postgres@127.0.0.1:54329/postgres");
const { world } = await dataSet(shelf, { messages: Number(messages), channels: 200, readers: 500 }, false);
console.log(world.items, world.residents.length);
