import type { Hub } from "../../hub.ts";
import { listenTo, notifyOthers } from "../../storage/postgres-listen.ts";
import { pulseOf } from "./pulse.ts";

/** How often (milliseconds) the log is looked at when nobody calls: on SQLite processes cannot call each other. */
const lookEvery = { sqlite: 500, postgres: 5000 } as const;
/** So many milliseconds after something was committed the others are called, for all that follows meanwhile. */
const together = 50;

export type Neighbours = { end: () => Promise<void> };

/** Calls when another process of the hub may have told something. */
export function neighbours(hub: Hub, call: () => void): Neighbours {
  const timer = setInterval(call, lookEvery[hub.engine]);
  timer.unref();
  const { database } = hub.config;
  const listening = database.engine === "postgres" && listenTo(database, pulseOf(hub).process, call);
  return {
    async end() {
      clearInterval(timer);
      if (listening) await listening.end();
    },
  };
}

/** Calls those processes of the hub that listen whenever something was committed in this one. Answers what ends that. */
export function callNeighbours(hub: Hub): () => Promise<void> {
  if (hub.engine !== "postgres") return () => Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let calling: Promise<void> = Promise.resolve();
  const quiet = pulseOf(hub).onBeat(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // Who is not reached looks by itself after a while.
      calling = notifyOthers(hub.db, pulseOf(hub).process).catch(() => undefined);
    }, together);
  });
  return async () => {
    quiet();
    clearTimeout(timer);
    await calling;
  };
}
