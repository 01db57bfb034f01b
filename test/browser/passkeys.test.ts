import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { totpCode, totpStepAt } from "../../src/domain/identity/factors/totp.ts";
import { startHub } from "../../src/main.ts";
import type { RunningHub } from "../../src/main.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { freePort } from "../support/free-port.ts";
import { makeChannel, openTestHub, password } from "../support/hub.ts";
import type { TestHub } from "../support/hub.ts";

/** Passkeys, with a device of Chromium's own that stands for a phone: made, used to log in, and used in the place of a code. */

const available = hasChromium();
let browser: Browser;
let settings: TestHub;
let running: RunningHub;
let base: string;

beforeAll(async () => {
  if (!available) return;
  browser = await openChromium();
  const port = String(await freePort());
  base = `http://localhost:${port}`;
  settings = await openTestHub({ env: { HUBBUB_BASE_URL: base, HUBBUB_PORT: port } });
  for (const nick of ["ada", "bea"]) await makeChannel(settings, nick);
  running = await startHub(settings.config, { clock: settings.clock });
});
afterAll(async () => {
  await browser?.close();
  await running?.close();
  await settings?.close();
});

type Device = { context: BrowserContext; page: Page; session: CDPSession };

/** A browser with a device that sees fingers. */
async function openDevice(): Promise<Device> {
  const context = await browser.newContext({ baseURL: base });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page, session };
}

async function logIn(page: Page, login: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("E-mail or nick").fill(login);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

async function logOut(context: BrowserContext): Promise<void> {
  await context.clearCookies();
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto("/settings/account/passkeys");
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.getByText("Saved.").waitFor();
}

describe.skipIf(!available)("passkeys", () => {
  test("let in without a name or a password, and no more once they are removed", async () => {
    const { context, page, session } = await openDevice();
    await logIn(page, "ada");
    await page.waitForURL("**/network");
    await page.goto("/settings/account/passkeys");
    await page.getByLabel("Your password").fill("wrong horse");
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.locator("#fault", { hasText: "This is not your password." }).waitFor();
    await addPasskey(page);
    await logOut(context);
    await page.goto("/login");
    // What the browser sends is kept, to be sent a second time.
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === "POST"),
      page.getByRole("button", { name: "Log in with a passkey" }).click(),
    ]);
    await page.waitForURL("**/network");
    const body = new URLSearchParams(sent.postData() ?? "");
    await logOut(context);
    await page.goto("/login");
    body.set("form_security_token", await page.locator("main [name=form_security_token]").inputValue());
    const again = await context.request.post("/login", {
      data: body.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", origin: base },
      maxRedirects: 0,
    });
    expect([again.status(), (await again.text()).includes("This passkey does not work here.")]).toEqual([422, true]);
    await logIn(page, "ada");
    await page.waitForURL("**/network");
    await page.goto("/settings/account/passkeys");
    await page.getByLabel("Your password").last().fill(password);
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("Removed.").waitFor();
    await logOut(context);
    await page.goto("/login");
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await page.locator("#fault", { hasText: "This passkey does not work here." }).waitFor();
    await session.detach();
    await context.close();
  });

  test("take the place of a code, at log-in and where the password is asked for again", async () => {
    const { context, page } = await openDevice();
    await logIn(page, "bea");
    await page.waitForURL("**/network");
    await addPasskey(page);
    await page.goto("/settings/account/second-factor");
    await page.getByLabel("Your password").fill(password);
    await page.getByRole("button", { name: "Add an app for codes" }).click();
    const secret = (await page.locator(".security-code code").innerText()).replaceAll(" ", "");
    await page.getByLabel("The code that the app shows").fill(totpCode(secret, totpStepAt(settings.clock())));
    await page.getByRole("button", { name: "Turn it on" }).click();
    await page.getByText("Keep these recovery codes").waitFor();
    await logOut(context);
    await logIn(page, "bea");
    await page.getByRole("button", { name: "Use a passkey instead of a code" }).click();
    await page.waitForURL("**/network");
    await page.goto("/settings/account/second-factor");
    const form = page.locator("form", { hasText: "Your password alone is enough then." });
    await form.getByLabel("Your password").fill(password);
    await form.getByRole("button", { name: "Use a passkey instead of a code" }).click();
    await page.getByText("The passkey is ready.").waitFor();
    await form.getByRole("button", { name: "Turn it off" }).click();
    await page.getByText("Add an app for codes").waitFor();
    await context.close();
  });
});
