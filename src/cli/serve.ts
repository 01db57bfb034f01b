import { flushCompileCache } from "node:module";
import { readConfig } from "../config.ts";
import { countHeld } from "../domain/delivery/operate.ts";
import { setupToken } from "../domain/identity/accounts/setup.ts";
import { serveHub } from "../main.ts";
import type { Hub } from "../hub.ts";
import { openOwnHub } from "../open-own-hub.ts";
import { dropSetupLink, keepSetupLink } from "../storage/setup-link.ts";
import { command } from "./command.ts";
import { keepMemoryLow } from "./free-memory.ts";
import { untilStopped } from "./until-stopped.ts";

type Ready = { ready: true; url: string; listening: string } & FirstRun;

/** Where the link to the administrator's account is, while there is none. */
type FirstRun = { setup_url?: string; setup_file?: string };

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
      const first = await firstRun(running.hub);
      await warnOfHeld(running.hub);
      keepMemoryLow();
      answer({
        ready: true,
        url: config.baseUrl,
        listening: running.url,
        ...first,
      } satisfies Ready);
      // A process that is killed never gets to write what the next start would profit from.
      flushCompileCache();
      await stopped;
      await running.close();
      return undefined;
    },
    print: ({ url, setup_url, setup_file }) => {
      const place = setup_url ?? (setup_file && `the link in ${setup_file}`);
      const first = place === undefined ? "" : `First run: make the administrator's account at ${place}\n`;
      return `${first}Hubbub is ready at ${url}`;
    },
  }),
];

/** After a restore the operator decides whether what waited then goes out. */
async function warnOfHeld(hub: Hub): Promise<void> {
  const count = await countHeld(hub);
  if (count === 0) return;
  const advice = "send them with `hubbub deliveries retry`, or give them up with `hubbub deliveries drop`";
  hub.log.warning("{count} deliveries are held since this hub was restored from a backup: {advice}", { count, advice });
}

/** Whoever has the link becomes administrator, so it is printed to people only: whatever else reads may keep it in a log. */
async function firstRun(hub: Hub): Promise<FirstRun> {
  const { baseUrl, dataDir } = hub.config;
  const token = await setupToken(hub);
  const setup_url = `${baseUrl}/setup/${token}`;
  if (token !== undefined && !process.stdout.isTTY) return { setup_file: await keepSetupLink(dataDir, setup_url) };
  await dropSetupLink(dataDir);
  return token === undefined ? {} : { setup_url };
}
