import { readConfig } from "../config/config.ts";
import { openOwnHub } from "../open-own-hub.ts";
import { startWorkers } from "../workers.ts";
import { command } from "./command.ts";
import { keepMemoryLow } from "./free-memory.ts";
import { untilStopped } from "./until-stopped.ts";

export const commands = [
  command({
    name: "work",
    summary: "run jobs and deliveries only, beside hubs that serve",
    async run({ env, answer }): Promise<{ ready: true } | undefined> {
      const hub = await openOwnHub(readConfig(env), {}, "work");
      const stopped = untilStopped();
      const workers = await startWorkers(hub);
      keepMemoryLow();
      answer({ ready: true });
      await stopped;
      await workers.stop();
      await hub.close();
      return undefined;
    },
    print: () => "Hubbub is ready for jobs",
  }),
];
