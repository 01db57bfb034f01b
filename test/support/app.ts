import type { Hono } from "hono";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { now } from "../../src/hub.ts";
import { createApp } from "../../src/main.ts";
import { workOff } from "../../src/workers.ts";
import { clientOf } from "./client.ts";
import type { Client } from "./client.ts";
import { makeChannel, openTestHub, password } from "./hub.ts";
import type { TestHub, TestOptions } from "./hub.ts";

/** A hub with its HTTP side, in memory. */
export type TestApp = {
  hub: TestHub;
  app: Hono;
  /** Nobody. */
  anonymous: Client;
  /** Makes a channel and answers a client that acts as it. */
  person(nick: string, options?: Parameters<typeof makeChannel>[2]): Promise<Person>;
  /** Does all that is due: jobs, and what goes to other hubs and came from them. */
  work(): Promise<void>;
  close(): Promise<void>;
};

export type Person = Client & { channel: Channel; nick: string };

/** Opens a hub for tests of its HTTP side. Close it at the end. */
export async function openTestApp(options: TestOptions = {}): Promise<TestApp> {
  const hub = await openTestHub(options);
  const app = createApp(hub);
  return {
    hub,
    app,
    anonymous: clientOf(app),
    async person(nick, options) {
      const channel = await makeChannel(hub, nick, options);
      return { ...clientOf(app, `${nick}:${password}`), channel, nick };
    },
    async work() {
      do await workOff(hub);
      while (await hasBusy(hub));
    },
    close: () => hub.close(),
  };
}

/**
 * Work that the database could not do just then waits some seconds, on a clock that stands still here: it is due again.
 * Answers whether there is any.
 */
async function hasBusy(hub: TestHub): Promise<boolean> {
  const waiting = await hub.db
    .updateTable("job")
    .set({ run_at: now(hub) })
    .where("last_error", "like", "DatabaseAway:%")
    .where("dead", "=", 0)
    .returning("name")
    .execute();
  return waiting.length > 0;
}
