import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { HubError } from "../errors.ts";
import type { Hub } from "../hub.ts";
import { addressBehind } from "./arrival.ts";
import { letIn } from "./entrance.ts";
import { failureOf, isForTheLog } from "./failure.ts";
import type { Face } from "./face.ts";
import { endRequest, requestIds } from "./request-log.ts";

/** Somebody who asks to go on by WebSocket. */
export type Knock = { authorization: string | null; protocol: string; query: string; address: string };

/** Takes the connection once it is made. */
export type Enter = (socket: WebSocket) => void;

/** Where connections go on by WebSocket. */
export type SocketDoor = {
  path: string;
  /** Whose errors refusals are made of. */
  face: Face;
  /** Lets somebody in, or throws as an endpoint does. */
  open(hub: Hub, knock: Knock): Promise<Enter>;
};

/** Longer frames end the connection; doors may allow less. */
const mostFrame = 64 * 1024;

/** What takes connections over that ask for WebSocket at this door. */
export function upgrading(hub: Hub, door: SocketDoor) {
  const idOf = requestIds(hub);
  const answering = { face: door.face.name, row: door.path };
  let sockets: Promise<WebSocketServer> | undefined;
  return (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const started = performance.now();
    hub.nameWork(`GET ${door.path} (${door.face.name})`);
    const id = idOf(incoming.headers["x-request-id"]?.toString());
    const log = (status: number): void =>
      endRequest(hub, { id, method: "GET", path: door.path }, answering, status, performance.now() - started);
    // Whoever goes away meanwhile must not end the process.
    socket.on("error", () => socket.destroy());
    const enter = async (): Promise<void> => {
      const taken = await letIn(hub, "requests", () => door.open(hub, knockOf(hub, incoming)));
      const server = await (sockets ??= openSockets());
      let status = 400;
      // What is no proper handshake is refused by the library, at once.
      server.handleUpgrade(incoming, socket, head, (connection) => {
        status = 101;
        taken(connection);
      });
      log(status);
    };
    hub.inOrder(enter).catch((error: unknown) => {
      const failure = failureOf(error, undefined, "", door.face.messages);
      if (isForTheLog(error, failure)) hub.log.error("Request {id} failed: {error}", { id, path: door.path, error });
      const { status } = door.face.failure(failure, { method: "GET", path: door.path });
      log(status);
      refuse(socket, status, error instanceof HubError ? error.retryAfter : undefined);
    });
  };
}

/** Most hubs are never asked for WebSocket, so nothing of it is loaded before. */
async function openSockets(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import("ws");
  return new WebSocketServer({
    noServer: true,
    maxPayload: mostFrame,
    perMessageDeflate: false,
    clientTracking: false,
    // Browsers go on only with the protocol that they have named, and the token stands in its place.
    handleProtocols: (protocols) => protocols.values().next().value ?? false,
  });
}

/** Does this request go on at this door? All others are answered as if they had not asked to. */
export function wantsDoor({ path }: SocketDoor, { headers, url = "" }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket" && url.replace(/\?.*$/s, "").replace(/\/$/, "") === path;
}

function knockOf({ config }: Hub, incoming: IncomingMessage): Knock {
  const { headers, url = "" } = incoming;
  const mark = url.indexOf("?");
  const forwarded = headers["x-forwarded-for"];
  return {
    authorization: headers.authorization ?? null,
    protocol: headers["sec-websocket-protocol"]?.split(",")[0]?.trim() ?? "",
    query: mark < 0 ? "" : url.slice(mark + 1),
    address: addressBehind(forwarded === undefined ? null : String(forwarded), incoming, config),
  };
}

function refuse(socket: Duplex, status: number, retryAfter: number | undefined): void {
  const again = retryAfter === undefined ? "" : `Retry-After: ${retryAfter}\r\n`;
  socket.end(`HTTP/1.1 ${status} Refused\r\n${again}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}
