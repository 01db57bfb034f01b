import { setTimeout as sleep } from "node:timers/promises";
import { askAs } from "./ask.ts";

/** How often (milliseconds) somebody looks, and at how much. */
const pause = 500;
const page = 200;
/** So many looks ago everything below the newest id was there: of two that come together the later id may be seen first. */
const settled = 6;

/** Somebody who looks at their home again and again. */
export type Watch = {
  /** The texts that were there, each with the moment (milliseconds) at which it was seen first. */
  seen: ReadonlyMap<string, number>;
  end(): Promise<void>;
};

export function watchHome(url: string): Watch {
  const seen = new Map<string, number>();
  const newest: number[] = [];
  let isOver = false;
  const look = async (): Promise<void> => {
    const since = newest.at(-settled) ?? 0;
    const answer = await askAs("anna", `${url}/api/statuses/home_timeline.json?count=${page}&since_id=${since}`);
    if (!answer.ok) return void (await answer.arrayBuffer());
    const statuses = (await answer.json()) as { id: number; text: string }[];
    for (const { text } of statuses) if (!seen.has(text)) seen.set(text, performance.now());
    newest.push(Math.max(since, ...statuses.map(({ id }) => id)));
  };
  const loop = async (): Promise<void> => {
    while (!isOver) {
      await look().catch(() => undefined);
      await sleep(pause);
    }
  };
  const looking = loop();
  return {
    seen,
    async end() {
      isOver = true;
      await looking;
    },
  };
}
