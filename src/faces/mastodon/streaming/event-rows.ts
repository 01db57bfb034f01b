import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { listen } from "../../../domain/listeners/listeners.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import { EventStream, eventHeaders } from "../../../http/event-stream.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Hub } from "../../../hub.ts";
import { flag, text } from "../parameters.ts";
import { mostUnread, StreamReader } from "./stream-reader.ts";
import { unknownStream } from "./subscriptions.ts";
import type { Wish } from "./subscriptions.ts";

/** Mastodon contract 14.3. */
const thumpEvery = 15_000;
const thump = ":thump\n";

const statuses = "read:statuses";
const tag = text("The hashtag, without its sign.");

/** Mastodon contract 12.10: streams as server-sent events; those over WebSocket begin in `socket-door.ts`. */
export const streamRows: Endpoint[] = [
  endpoint({
    path: "v1/streaming/health",
    methods: ["GET"],
    access: "public",
    uncounted: true,
    textType: "text/plain; charset=utf-8",
    summary: "Says that there are streams.",
    answer: "StreamText",
    input: z.object({}),
    handle: () => "OK",
  }),
  events("user", "Everything new in the caller's stream, and notices.", [statuses, "read:notifications"]),
  events("direct", "Conversations in which something is said.", statuses),
  events("user/notification", "Notices of the caller.", "read:notifications"),
  ...["public", "public/local", "public/remote"].map((name) =>
    events(name, `New public posts and comments${about(name)}.`, statuses, {
      only_media: flag("Only what has pictures or other files."),
    }),
  ),
  ...["hashtag", "hashtag/local"].map((name) =>
    events(name, `New public posts and comments with a hashtag${about(name)}.`, statuses, { tag }, { tag: "tea" }),
  ),
  events("list", "What members of one of the caller's groups write.", "read:lists", { list: text("Id of the group.") }),
  ...["v1/streaming/:stream", "v1/streaming/:stream/:kind"].map((path) =>
    endpoint({
      path,
      methods: ["GET"],
      access: "public",
      summary: "There are no other streams.",
      answer: "StreamText",
      input: z.object({ stream: text("Its name."), kind: text("More of its name.") }),
      handle() {
        throw unknownStream("Unknown channel requested");
      },
    }),
  ),
];

function about(name: string): string {
  if (name.endsWith("/local")) return " of this hub";
  return name.endsWith("/remote") ? " of elsewhere" : "";
}

function events(
  name: string,
  summary: string,
  scope: string | readonly string[],
  more: Record<string, z.ZodType> = {},
  example: Record<string, string> = {},
): Endpoint {
  return endpoint({
    path: `v1/streaming/${name}`,
    methods: ["GET"],
    access: "channel",
    scope,
    tokenInQuery: true,
    textType: eventHeaders["content-type"],
    summary,
    answer: "StreamText",
    example,
    input: z.object(more),
    handle: (hub, caller, input, exchange) => begin(hub, caller, wishOf(name, input), exchange),
  });
}

function wishOf(name: string, input: Readonly<Record<string, unknown>>): Wish {
  const stream = name.replace("/", ":") + (input["only_media"] === true ? ":media" : "");
  return { stream, list: input["list"] as string | undefined, tag: input["tag"] as string | undefined };
}

async function begin(
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
