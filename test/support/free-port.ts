import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const slots = 8;
const [first, after] = [20_000 / slots, 32_000 / slots];

/** Where the next one is looked for. */
let place = randomInt(first, after);

/**
 * A free port below those that the system hands out for connections, so that nobody takes it before the server does
 * that it is for; each worker of a test run has ports of its own, and gives none of them away again before all the others.
 */
export async function freePort(): Promise<number> {
  const slot = Number(process.env["VITEST_POOL_ID"] ?? 0) % slots;
  for (;;) {
    place = place + 1 < after ? place + 1 : first;
    const port = slot + slots * place;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
