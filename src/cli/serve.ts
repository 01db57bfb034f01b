import { readConfig } from "../config/config.ts";
import type { Config } from "../config/config.ts";
import { command } from "./command.ts";
import type { Ready } from "./serve-one.ts";

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
      if (config.processes > 1 && config.part === 0) return serveMany(config, answer);
      const { serveOne } = await import("./serve-one.ts");
      if (config.part === 0) await serveOne(config, answer);
      else {
        const { sendToWatcher } = await import("../processes/siblings.ts");
        await serveOne(config, (ready) => sendToWatcher({ kind: "ready", answer: ready }));
      }
      return undefined;
    },
    print: ({ url, setup_url, setup_file }) => {
      const place = setup_url ?? (setup_file && `the link in ${setup_file}`);
      const first = place === undefined ? "" : `First run: make the administrator's account at ${place}\n`;
      return `${first}Hubbub is ready at ${url}`;
    },
  }),
];

/** The process that watches has nothing of the hub: no database, and little memory. */
async function serveMany(config: Config, answer: (ready: unknown) => void): Promise<undefined> {
  const [{ watchProcesses }, { checkPort }, { openLog, closeLog }, { untilStopped }] = await Promise.all([
    import("../processes/watch.ts"),
    import("../processes/free-port.ts"),
    import("../log.ts"),
    import("./until-stopped.ts"),
  ]);
  await checkPort(config.listen);
  const log = await openLog(config.log);
  process.exitCode = await watchProcesses({ count: config.processes, log, ready: answer }, untilStopped());
  await closeLog();
}
