import { flushCompileCache } from "node:module";
import type { Config } from "../config/config.ts";
import { countHeld } from "../domain/delivery/operate.ts";
import { setupToken } from "../domain/identity/accounts/setup.ts";
import { lookChoices } from "../domain/identity/site/site-look.ts";
import { getSetting } from "../domain/identity/site/site-settings.ts";
import { weakPairs } from "../faces/web/look/weak-pairs.ts";
import { serveHub } from "../main.ts";
import type { Hub } from "../hub.ts";
import { countDeeds } from "../jobs/queue.ts";
import { openOwnHub } from "../open-own-hub.ts";
import { dropSetupLink, keepSetupLink } from "../storage/setup-link.ts";
import { keepMemoryLow } from "./free-memory.ts";
import { untilStopped } from "./until-stopped.ts";

export type Ready = { ready: true; url: string; listening: string } & FirstRun;

/** Where the link to the administrator's account is, while there is none. */
type FirstRun = { setup_url?: string; setup_file?: string };

/** Serves in this process until it is told to stop. `ready` hears when requests are taken. */
export async function serveOne(config: Config, ready: (answer: Ready) => void): Promise<void> {
  const hub = await openOwnHub(config);
  const stopped = untilStopped();
  const running = await serveHub(hub);
  const first = await firstRun(running.hub);
  if (config.part <= 1) {
    await warnOfHeld(running.hub);
    const look = await lookChoices(running.hub);
    for (const weak of weakPairs(running.hub.extensions, look)) hub.log.warning("{weak}", { weak });
  }
  keepMemoryLow();
  ready({ ready: true, url: config.baseUrl, listening: running.url, ...first });
  // A process that is killed never gets to write what the next start would profit from.
  flushCompileCache();
  await stopped;
  await running.close();
}

/** After a restore the operator decides whether what waited then goes out, also what was done and not written yet. */
async function warnOfHeld(hub: Hub): Promise<void> {
  const backup = await getSetting(hub, "restoredFrom");
  if (backup === undefined) return;
  const deeds = await countDeeds(hub, backup);
  const count = await countHeld(hub);
  const advice = "send them with `hubbub deliveries retry`, or give them up with `hubbub deliveries drop`";
  if (count > 0)
    hub.log.warning("{count} deliveries are held since this hub was restored from a backup: {advice}", {
      count,
      advice,
    });
  if (deeds > 0)
    hub.log.warning("The deliveries of {deeds} deeds of before that backup are held as well: {advice}", {
      deeds,
      advice,
    });
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
