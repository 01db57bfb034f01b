import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Authority } from "../support/authority.ts";
import { createDatabaseOn } from "../support/hub.ts";
import { freePort } from "../support/free-port.ts";
import { openTlsProxy } from "../support/tls-proxy.ts";

/** A server of another code base (@evanp/activitypub-bot) with the bots of `bots.js`: at a name, over TLS. */
export type BotServer = { url: string; idOf(bot: string): string; close(): Promise<void> };

const program = fileURLToPath(import.meta.resolve("@evanp/activitypub-bot/bin/activitypub-bot.js"));
const beside = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Starts it, on a database of its own on the server of the tests, and answers when it takes requests. */
export async function startBots(authority: Authority): Promise<BotServer> {
  const database = await createDatabaseOn(process.env["HUBBUB_TEST_POSTGRES_URL"]!);
  const [port, outer] = [await freePort(), await freePort()];
  const name = "bots.test";
  const proxy = await openTlsProxy(port, { authority, name, port: outer });
  const url = `https://${name}:${outer}`;
  const preloaded = ["registered-contexts.cjs", "../support/names-here.cjs"].flatMap((file) => [
    "--require",
    beside(file),
  ]);
  const child = spawn(process.execPath, [...preloaded, program], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      ORIGIN: url,
      PORT: String(port),
      LOG_LEVEL: "warn",
      BOTS_CONFIG_FILE: beside("bots.js"),
      ALLOW_PRIVATE: "true",
      NODE_EXTRA_CA_CERTS: authority.file,
      NODE_OPTIONS: "",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  const ended = once(child, "exit");
  const close = async (): Promise<void> => {
    proxy.close();
    child.kill("SIGKILL");
    await ended;
    await database.drop();
  };
  const until = Date.now() + 60_000;
  while (!(await answers(`${url}/user/ok`))) {
    if (child.exitCode === null && Date.now() < until) continue;
    await close();
    throw new Error(`The server of bots does not start:\n${said}`);
  }
  return { url, idOf: (bot) => `${url}/user/${bot}`, close };
}

async function answers(url: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
