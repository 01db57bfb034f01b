import { readConfig } from "../../src/config/config.ts";
import { takeLongStep } from "../../src/domain/upkeep/long-steps.ts";
import { openHub } from "../../src/hub.ts";

/** A process that fills the search index, and is killed in the middle of the third piece of fifty messages; it has the environment of a place. */

let written = 0;
const hub = await openHub(readConfig(process.env), {
  onQuery({ query }) {
    if (query.sql.startsWith('update "message" set "words"') && ++written === 120) process.kill(process.pid, "SIGKILL");
  },
});
await takeLongStep(hub, "index-words");
