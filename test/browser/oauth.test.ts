import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { fill, openCrowd, press, visits } from "../support/browser-people.ts";
import type { Crowd } from "../support/browser-people.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { password } from "../support/hub.ts";
import { written } from "../support/oauth.ts";
import type { Order, Secrets } from "../support/oauth.ts";

/** Somebody registers an application, lets it act, and takes that back, in a real browser (microblog contract 6.4, 6.5). */

const available = hasChromium();
let browser: Browser;

beforeAll(async () => {
  if (available) browser = await openChromium();
});
afterAll(() => browser?.close());

/** The application's own site, which people come back to. */
async function openSite(): Promise<{ server: Server; port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const next = request.url!.startsWith("/elsewhere")
      ? { location: `http://localhost:${portOf(server)}/there` }
      : undefined;
    response.writeHead(next ? 302 : 200, { "content-type": "text/html", ...next });
    response.end("<!doctype html><title>App</title><h1>Back in the application</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: portOf(server), asked };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

describe.skipIf(!available).each(visits)("%s", (_, javaScriptEnabled) => {
  let crowd: Crowd;
  let ada: Page;
  let channel: Channel;
  let site: Awaited<ReturnType<typeof openSite>>;
  const app: Secrets = { key: "the.key", secret: "the-secret" };

  beforeAll(async () => {
    crowd = await openCrowd(browser, javaScriptEnabled);
    ({ page: ada, channel } = await crowd.member("Ada Lindqvist", "ada"));
    site = await openSite();
  });
  afterAll(async () => {
    await crowd.close();
    site.server.close();
  });

  async function send(
    secrets: Secrets,
    order: Order,
  ): Promise<{ status: number; text: string; pairs: URLSearchParams }> {
    const request = written({ clock: () => new Date() }, secrets, { ...order, origin: crowd.running.url });
    const { method, headers, target } = request;
    const response = await fetch(crowd.running.url + target, { method, headers });
    const text = await response.text();
    return { status: response.status, text, pairs: new URLSearchParams(text) };
  }

  async function ask(callback: string): Promise<{ token: string; tokenSecret: string }> {
    const { pairs } = await send(app, { path: "/oauth/request_token", more: { oauth_callback: callback } });
    return { token: pairs.get("oauth_token")!, tokenSecret: pairs.get("oauth_token_secret")! };
  }

  async function finish(request: { token: string; tokenSecret: string }, verifier: string): Promise<Secrets> {
    const secrets = { ...app, ...request };
    const { pairs } = await send(secrets, { path: "/oauth/access_token", more: { oauth_verifier: verifier } });
    return { ...app, token: pairs.get("oauth_token")!, tokenSecret: pairs.get("oauth_token_secret")! };
  }

  const whoIs = async (secrets: Secrets): Promise<number> =>
    (await send(secrets, { path: "/api/account/verify_credentials.json" })).status;

  test("an application is registered", async () => {
    await ada.goto("/settings");
    await ada
      .getByRole("main")
      .getByRole("link", { name: /Applications/ })
      .click();
    await ada.getByRole("link", { name: "Register an application" }).click();
    await fill(ada, { Name: "Crow", "Consumer key": app.key, "Consumer secret": app.secret });
    await press(ada, "Register");
    await ada.waitForURL("**/settings/oauth/?done=made");
    expect(await ada.getByRole("main").innerText()).toContain("Crow");
  });

  test("consent leads to the application's site, on another origin and with the log-in on the way", async () => {
    const request = await ask(`http://127.0.0.1:${site.port}/back?x=1`);
    const page = await crowd.somebody();
    await page.goto(`/api/oauth/authorize?oauth_token=${request.token}`);
    await page.locator("[name=login]").fill("ada");
    await page.locator("[name=password]").fill(password);
    await press(page, "Log in");
    await page.waitForURL("**/api/oauth/authorize**");
    const words = await page.getByRole("main").innerText();
    for (const part of ["Crow", "Ada Lindqvist", `127.0.0.1:${site.port}`]) expect(words).toContain(part);
    await press(page, "Yes");
    await page.waitForURL(`http://127.0.0.1:${site.port}/**`);
    const back = new URL(page.url()).searchParams;
    expect([back.get("x"), back.get("oauth_token")]).toEqual(["1", request.token]);
    const secrets = await finish(request, back.get("oauth_verifier")!);
    expect(await whoIs(secrets)).toBe(200);

    await ada.goto("/settings/oauth/");
    await press(ada, "Remove authorization");
    await ada.waitForURL("**/settings/oauth/?done=revoked");
    expect(await ada.getByRole("main").innerText()).toContain("cannot act as you any more");
    expect(await whoIs(secrets)).toBe(401);
  });

  test("a site that sends people on to another one is not in the way", async () => {
    const request = await ask(`http://127.0.0.1:${site.port}/elsewhere`);
    await ada.goto(`/oauth/authorize?oauth_token=${request.token}`);
    await press(ada, "Yes");
    await ada.waitForURL(`http://localhost:${site.port}/there`);
    expect(site.asked.find((url) => url.startsWith("/elsewhere"))).toContain("oauth_verifier=");
  });

  test("an application on the machine itself gets its own address", async () => {
    const request = await ask("crow-app://login/done");
    // Nobody on this machine takes such an address, and the tab waits for somebody: it is not used again.
    const tab = await ada.context().newPage();
    const said: string[] = [];
    tab.on("console", (message) => said.push(message.text()));
    await tab.goto(`/oauth/authorize?oauth_token=${request.token}`);
    expect(await tab.getByRole("main").innerText()).toContain("crow-app://login");
    const answered = tab.waitForResponse((one) => one.request().method() === "POST");
    await press(tab, "Yes");
    const response = await answered;
    expect([response.status(), await response.headerValue("location")]).toEqual([
      302,
      expect.stringMatching(/^crow-app:\/\/login\/done\?oauth_token=\w+&oauth_verifier=\w+$/),
    ]);
    await tab.waitForTimeout(300);
    expect(said.filter((text) => /security policy|form-action/i.test(text))).toEqual([]);
    await tab.close();
  });

  test("a code to type in, and a no", async () => {
    const request = await ask("oob");
    await ada.goto(`/oauth/authorize?oauth_token=${request.token}`);
    await press(ada, "Yes");
    const code = await ada.locator("#oauth_pin").innerText();
    expect(code).toMatch(/^\d{8}$/);
    expect(await whoIs(await finish(request, code))).toBe(200);

    const other = await ask(`http://127.0.0.1:${site.port}/no`);
    await ada.goto(`/oauth/authorize?oauth_token=${other.token}`);
    await press(ada, "No");
    await ada.waitForURL(`http://127.0.0.1:${site.port}/no?denied=${other.token}`);
    expect((await ada.goto(`/oauth/authorize?oauth_token=${other.token}`))!.status()).toBe(400);
    expect(await ada.getByRole("main").innerText()).toContain("Invalid request. Unknown token.");
  });

  test("it is changed and deleted, and what it could do ends", async () => {
    await ada.goto("/settings/oauth/");
    await ada.getByRole("link", { name: "Edit Crow" }).click();
    await fill(ada, { Name: "Raven" });
    await press(ada, /^Save$/);
    await ada.getByRole("link", { name: "Delete Raven" }).click();
    await press(ada, "Delete");
    await ada.waitForURL("**/settings/oauth/?done=deleted");
    const words = await ada.getByRole("main").innerText();
    expect([words.includes("Raven"), words.includes("No application can act as you.")]).toEqual([false, true]);
    expect(channel.channel_address).toBe("ada");
  });

  test("the browser has nothing to complain about", () => {
    // The answer to a token that is used up is one that browsers mention.
    expect(crowd.complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
  });
});
