import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { listen } from "../../../domain/listeners/listeners.ts";
import { EventStream } from "../../../http/event-stream.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Hub } from "../../../hub.ts";
import { mostUnread, StreamReader } from "./stream-reader.ts";
import type { Wish } from "./subscriptions.ts";

/** Mastodon contract 14.3. */
const thumpEvery = 15_000;
const thump = ":thump\n";

/** The events of a stream, from now on. Throws as `subscriptionTo` does. */
export async function openEvents(
  hub: Hub,
  caller: Caller,
  wish: Wish,
  { bearer, address, method }: Exchange,
): Promise<EventStream> {
  let quit: (() => void) | undefined;
  const stream = new EventStream(hub, {
    beat: () => thump,
    beatEvery: thumpEvery,
    mostWaiting: mostUnread,
    ended: () => quit?.(),
  });
  const reader = new StreamReader(
    hub,
    { bearer: bearer!, caller, address },
    { say: (_label, event, payload = "null") => stream.send(event, payload), end: () => stream.end() },
  );
  try {
    await reader.subscribe(wish);
    if (method === "HEAD") return stream;
    quit = await listen(hub, reader);
  } catch (error) {
    stream.end();
    throw error;
  }
  if (stream.isOver) quit();
  stream.write(thump);
  return stream;
}
