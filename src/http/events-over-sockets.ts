import type { IncomingMessage, ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { HubOfCaches } from "../caches.ts";
import { eventsIn } from "./event-stream.ts";

/** What answers requests; beside each it gets the request and the response as Node has them. */
type Answering = (request: Request, env?: unknown) => Response | Promise<Response>;

type Sockets = { incoming: IncomingMessage; outgoing: ServerResponse };

/**
 * Writes events to their connections themselves: a reader between them would hold as much again as a connection does, and
 * take turns for each event. The end of such an answer is that of its connection, so all readers get the same bytes.
 */
export function eventsOverSockets(hub: HubOfCaches, answering: Answering): Answering {
  return async (request, env) => {
    const response = await answering(request, env);
    const events = eventsIn(hub, response);
    if (!events || env === undefined) return response;
    const { incoming, outgoing } = env as Sockets;
    sendHead(outgoing, response);
    letGoOf(incoming);
    events.goOnAt(outgoing);
    // A copy: the answer itself may be one of the adaptor's own, which it would send.
    return RESPONSE_ALREADY_SENT.clone();
  };
}

/** Given in one go, headers are not kept for as long as the connection. */
function sendHead(outgoing: ServerResponse, { status, headers }: Response): void {
  const known = Object.entries(outgoing.getHeaders()).map(([name, value]) => [name, String(value)]);
  for (const [name] of known) outgoing.removeHeader(name!);
  outgoing.removeHeader("transfer-encoding");
  outgoing.writeHead(status, [...known, ...headers, ["connection", "close"]].flat());
  outgoing.flushHeaders();
}

/** Nobody asks for the headers of the request any more, and Node would keep them. */
function letGoOf(incoming: IncomingMessage): void {
  incoming.headers = {};
  incoming.rawHeaders = [];
}
