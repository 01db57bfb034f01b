import { createServer } from "node:http";
import { createServer as createSilentServer } from "node:net";
import type { AddressInfo } from "node:net";

/** Other hubs, each at a loopback address of its own: they read what they are sent, and take all of it. */

/** How many there are, and how many more that take what they are sent and never answer. */
export type ElsewhereStart = { hosts: number; silent?: number };

async function serve({ hosts, silent = 0 }: ElsewhereStart): Promise<void> {
  let port = 0;
  for (let n = 1; n <= hosts; n++) {
    const server = createServer((request, response) => {
      request.resume();
      request.once("end", () => response.writeHead(202).end());
    });
    await new Promise<void>((resolve) => server.listen(port, `127.0.1.${n}`, resolve));
    ({ port } = server.address() as AddressInfo);
  }
  for (let n = 1; n <= silent; n++) {
    const server = createSilentServer((socket) => socket.on("error", () => undefined));
    await new Promise<void>((resolve) => server.listen(port, `127.0.2.${n}`, resolve));
  }
  process.send!({ port });
}

process.once("message", (start) => void serve(start as ElsewhereStart));
process.once("disconnect", () => process.exit());
