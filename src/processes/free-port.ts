import { createServer } from "node:net";
import type { Config } from "../config/config.ts";

/** Makes sure that nobody else has the port: processes that share one do not hinder each other. Throws as listening does. */
export function checkPort({ address, port }: Config["listen"]): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => server.close(() => resolve()));
  });
}
