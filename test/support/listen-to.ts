import { expect } from "vitest";
import type { TestApp } from "./app.ts";

/** A stream of events that is read until it is told to stop. */
export type Heard = {
  /** What has come so far. */
  said: () => string;
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
  const reading = (async () => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) said += piece.value;
  })();
  return {
    said: () => said,
    async stop() {
      await reader.cancel();
      await reading;
    },
  };
}
