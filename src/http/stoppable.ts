import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";

/** For so many milliseconds requests still come in, from those whose last answer did not tell them yet. */
const lastCall = 100;
/** A process that was held up meanwhile has not read yet what came in time: it looks at all connections so often after that. */
const turns = 10;
/** So long (milliseconds) those may take whose request or answer is still on its way: a hub stops within two seconds. */
const grace = 1500;

/**
 * Answers what stops this server. From then on every answer closes its connection, and a moment later no new ones are
 * taken, so that nobody sends a request that will not be answered. Requests that have come in whole are answered, however long that
 * takes; slow senders and readers are cut off after a while.
 */
export function stoppable(server: Server): () => Promise<void> {
  const open = new Set<ServerResponse>();
  let isStopping = false;
  // First in line: the application may answer at once.
  server.prependListener("request", (_: IncomingMessage, response: ServerResponse) => {
    if (isStopping) closeAfter(response);
    open.add(response);
    response.once("close", () => open.delete(response));
  });
  return () =>
    new Promise((resolve) => {
      isStopping = true;
      for (const response of open) closeAfter(response);
      void called(server).then(() => server.close(() => resolve()));
      setTimeout(() => cutOff(server, open), grace).unref();
    });
}

async function called(server: Server): Promise<void> {
  if (!server.listening) return;
  await sleep(lastCall);
  for (let seen = 0; seen < turns; seen++) await turn();
}

/** An answer whose head has gone out already has promised to keep the connection: who has it is told by the next one. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

function cutOff(server: Server, open: ReadonlySet<ServerResponse>): void {
  const answering = [...open].filter(({ req, headersSent }) => req.complete && !headersSent);
  if (answering.length === 0) return server.closeAllConnections();
  for (const response of open) if (!answering.includes(response)) response.socket?.destroy();
  server.closeIdleConnections();
}
