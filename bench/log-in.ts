import { setTimeout as wait } from "node:timers/promises";
import { basic } from "../test/support/client.ts";
import type { Call } from "./load/main.ts";
import type { Server } from "./processes.ts";

/** So many times a log-in is sent again before it counts as refused. */
const patience = 20;

/**
 * Has the hub check the passwords of these calls, which it then remembers for some minutes, so that no slow hash falls into what is
 * measured next. Where too many wait for theirs already, it comes back when the hub says.
 */
export async function logIn({ port }: Pick<Server, "port">, calls: Call[]): Promise<void> {
  const logins = new Set(calls.flatMap(({ login }) => login ?? []));
  for (const login of logins) {
    for (let tries = 0; ; tries++) {
      const { status, headers } = await askWhoIs(port, login);
      if (status === 200) break;
      if (status !== 429 || tries === patience) throw new Error(`${status} for the log-in of ${login.split(":")[0]!}`);
      await wait(Number(headers.get("retry-after") ?? 1) * 1000);
    }
  }
}

async function askWhoIs(port: number, login: string): Promise<Response> {
  const url = `http://127.0.0.1:${port}/api/account/verify_credentials.json`;
  const response = await fetch(url, { headers: { authorization: basic(login) } });
  await response.arrayBuffer();
  return response;
}
