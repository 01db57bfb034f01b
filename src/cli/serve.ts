import { flushCompileCache } from "node:module";
import { readConfig } from "../config.ts";
import { setupToken } from "../domain/identity/accounts/setup.ts";
import { serveHub } from "../main.ts";
import { openOwnHub } from "../open-own-hub.ts";
import { command } from "./command.ts";
import { keepMemoryLow } from "./free-memory.ts";
import { untilStopped } from "./until-stopped.ts";

type Ready = { ready: true; url: string; listening: string; setup_url?: string };

export const commands = [
  command({
    name: "serve",
    summary: "run the hub: HTTP and jobs",
    settings: {
      port: "HUBBUB_PORT",
      listen: "HUBBUB_LISTEN",
      "base-url": "HUBBUB_BASE_URL",
    },
    async run({ env, answer }): Promise<Ready | undefined> {
      const config = readConfig(env);
      const hub = await openOwnHub(config);
      const stopped = untilStopped();
      const running = await serveHub(hub);
      const token = await setupToken(running.hub);
      keepMemoryLow();
      answer({
        ready: true,
        url: config.baseUrl,
        listening: running.url,
        ...(token !== undefined && { setup_url: `${config.baseUrl}/setup/${token}` }),
      } satisfies Ready);
      // A process that is killed never gets to write what the next start would profit from.
      flushCompileCache();
      await stopped;
      await running.close();
      return undefined;
    },
    print: ({ url, setup_url }) => {
      const first = setup_url === undefined ? "" : `First run: make the administrator's account at ${setup_url}\n`;
      return `${first}Hubbub is ready at ${url}`;
    },
  }),
];
