import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { createChannel } from "../../src/domain/identity/channels/channels.ts";
import { now } from "../../src/hub.ts";
import type { Hub, Overrides } from "../../src/hub.ts";
import { runDue } from "../../src/jobs/runner.ts";
import { startHub } from "../../src/main.ts";
import type { RunningHub } from "../../src/main.ts";
import { freePort } from "./free-port.ts";
import { makeAccount, openTestHub, password } from "./hub.ts";

/** A hub that listens, and people who visit it, each with a browser of their own. */
export type Crowd = {
  running: RunningHub;
  /** What the browsers said on their consoles; the answers 403, 404, 413 and 422 are no complaints. */
  complaints: string[];
  /** Somebody who is not logged in; `how` says what is special about their browser. */
  somebody: (how?: BrowserContextOptions) => Promise<Page>;
  /** Somebody with an account and a channel, logged in. */
  member: (name: string, nick: string, how?: BrowserContextOptions) => Promise<{ page: Page; channel: Channel }>;
  /** Runs what is due, such as deliveries. */
  deliver: () => Promise<void>;
  close: () => Promise<void>;
};

/** How people visit; the pages must work alike. */
export const visits: [how: string, javaScriptEnabled: boolean][] = [
  ["with scripts", true],
  ["without scripts", false],
];

/** A connection that rests is closed by the hub, sometimes at the moment when something is asked for on it. */
const patiently = { maxRetries: 2 };

/** Starts a hub for people with browsers; `ways` may stand for what it asks elsewhere, and hold more settings. Close it at the end. */
export async function openCrowd(
  browser: Browser,
  javaScriptEnabled: boolean,
  { env = {}, ...ways }: Pick<Overrides, "fetch"> & { env?: Record<string, string> } = {},
): Promise<Crowd> {
  const port = await freePort();
  const settings = await openTestHub({
    env: { HUBBUB_BASE_URL: `http://127.0.0.1:${port}`, HUBBUB_PORT: String(port), ...env },
  });
  const { config, makeKeys, passwordCost } = settings;
  const running = await startHub(config, { makeKeys, passwordCost, ...ways });
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];

  async function somebody(how: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      javaScriptEnabled,
      baseURL: running.url,
      viewport: { width: 1100, height: 900 },
      ...how,
    });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      const expected = /status of (403|404|413|422)/.test(message.text());
      if (message.type() === "error" && !expected) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    return page;
  }

  async function member(
    name: string,
    nick: string,
    how?: BrowserContextOptions,
  ): Promise<{ page: Page; channel: Channel }> {
    const account = await makeAccount(running.hub, `${nick}@example.org`);
    const channel = await createChannel(running.hub, account, { name, nick });
    const page = await somebody(how);
    // What the form of the log-in page sends: showing it and what comes after it costs more than many a test.
    const shown = await (await page.request.get("/login", patiently)).text();
    const token = /name="form_security_token" value="([^"]*)"/.exec(shown)?.[1] ?? "";
    const form = { login: nick, password, form_security_token: token };
    const answer = await page.request.post("/login", { form });
    if (!answer.url().endsWith("/network")) throw new Error(`${nick} cannot log in.`);
    return { page, channel };
  }

  return {
    running,
    complaints,
    somebody,
    member,
    deliver: () => deliverAll(running.hub),
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
      await running.close();
      await settings.close();
    },
  };
}

/** The hub does its jobs by itself as well: what it has begun is waited for. */
async function deliverAll(hub: Hub): Promise<void> {
  for (;;) {
    await runDue(hub);
    const open = await hub.db
      .selectFrom("job")
      .select("id")
      .where("dead", "=", 0)
      .where("run_at", "<=", now(hub))
      .executeTakeFirst();
    if (!open) return;
    await sleep(20);
  }
}

/** Fills fields of the page's content, by the first label that contains the words. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByRole("main").locator("input, textarea").and(page.getByLabel(label)).first().fill(value);
}

/** Presses the first button of the page's content with this name. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("main").getByRole("button", { name }).first().click();
}

/** Does what is answered in place, and waits until the hub has done it: the page shows it before. */
export async function done(page: Page, act: Promise<void>): Promise<void> {
  await Promise.all([page.waitForResponse((answer) => answer.request().method() === "POST"), act]);
}

/** Waits until the page says that something was done: in its content after a reload, in passing where it was done in place. */
export async function said(page: Page, words: string): Promise<void> {
  await page.locator("#done, #said").filter({ hasText: words }).first().waitFor();
}

/** What the address answers to this person, without showing it. */
export async function statusFor(page: Page, path: string): Promise<number> {
  return (await page.request.get(path, patiently)).status();
}

/** The first post of a stream that has this text. */
export function post(page: Page, text: string) {
  return page.locator(".status.post", { hasText: text }).first();
}
