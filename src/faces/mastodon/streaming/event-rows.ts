import { z } from "zod";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import { eventHeaders } from "../../../http/event-stream.ts";
import { flag, text } from "../parameters.ts";
import { unknownStream } from "./unknown-stream.ts";
import type { Wish } from "./subscriptions.ts";

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
    // Most hubs have nobody who reads streams, so nothing of them is loaded before.
    handle: async (hub, caller, input, exchange) =>
      (await import("./open-events.ts")).openEvents(hub, caller, wishOf(name, input), exchange),
  });
}

function wishOf(name: string, input: Readonly<Record<string, unknown>>): Wish {
  const stream = name.replace("/", ":") + (input["only_media"] === true ? ":media" : "");
  return { stream, list: input["list"] as string | undefined, tag: input["tag"] as string | undefined };
}
