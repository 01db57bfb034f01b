import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const slots = 8;

/**
 * A free port below those that the system hands out for connections, so that nobody takes it before the server does
 * that it is for; each worker of a test run has ports of its own.
 */
export async function freePort(): Promise<number> {
  const slot = Number(process.env["VITEST_POOL_ID"] ?? 0) % slots;
  for (;;) {
    const port = slot + slots * randomInt(20_000 / slots, 32_000 / slots);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
