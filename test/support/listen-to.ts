import { expect } from "vitest";
import type { TestApp } from "./app.ts";

/** A stream of events that is read until it is told to stop. */
export type Heard = {
  /** What has come so far. */
  said: () => string;
  /** Has the hub ended it? */
  isOver: () => boolean;
  stop: () => Promise<void>;
};

export async function listenTo(
  { app }: Pick<TestApp, "app">,
  path: string,
  headers: Record<string, string>,
): Promise<Heard> {
  const response = await app.request(`http://hub.example${path}`, {
    headers: { host: "hub.example", accept: "text/event-stream", ...headers },
  });
  expect([path, response.status]).toEqual([path, 200]);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  let isOver = false;
  const reading = (async () => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) said += piece.value;
    isOver = true;
  })();
  return {
    said: () => said,
    isOver: () => isOver,
    async stop() {
      await reader.cancel();
      await reading;
    },
  };
}
