import { decodeQR } from "qr/decode.js";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { TestApp } from "../../../../../test/support/app.ts";
import { clientOf } from "../../../../../test/support/client.ts";
import { password } from "../../../../../test/support/hub.ts";
import { openMailbox } from "../../../../../test/support/mailbox.ts";
import type { Mailbox } from "../../../../../test/support/mailbox.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../../test/support/visitor.ts";
import { endSecondFactor } from "../../../../domain/recovery/second-factor.ts";
import { totpCode, totpStepAt } from "../../../../domain/identity/factors/totp.ts";
import { languagesOf } from "../../languages/languages.ts";
import { secondFactorEnded } from "../../mails/second-factor.ts";

/** An app for codes and recovery codes, as people set them up and log in with them. */

const page = "/settings/account/second-factor";

let mailbox: Mailbox;
let world: TestApp;
beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openTestApp({
    env: { HUBBUB_SMTP_URL: mailbox.url, HUBBUB_RATE_LIMITS: "on", HUBBUB_TRUST_PROXY: "on" },
  });
});
afterAll(async () => {
  await world.close();
  await mailbox.close();
});

/** A browser somewhere in the world. */
function browserAt(address: string): Visitor {
  const request = (url: string, init: RequestInit) =>
    world.app.request(url, { ...init, headers: { ...(init.headers as object), "x-forwarded-for": address } });
  return visitorOf({ request });
}

type Protected = { nick: string; browser: Visitor; secret: string; codes: string[]; code: () => string };

const codesIn = ({ text }: VisitedPage): string[] =>
  [...text.matchAll(/<code>(\w{4}(?:-\w{4}){3})<\/code>/g)].map((match) => match[1]!);
const secretIn = ({ text }: VisitedPage): string => /<code>([A-Z2-7 ]{39})<\/code>/.exec(text)![1]!.replaceAll(" ", "");

/** Somebody who has added an app; `code` is what it shows next. */
async function protectedPerson(nick: string): Promise<Protected> {
  await world.person(nick);
  const browser = browserAt("192.0.2.1");
  await browser.logIn(nick, password);
  await browser.get(page);
  expect((await browser.post(`${page}/begin`, { password })).location).toBe(page);
  const secret = secretIn(await browser.get(page));
  const code = (): string => {
    world.hub.advance(30);
    return totpCode(secret, totpStepAt(world.hub.clock()));
  };
  const codes = codesIn(await browser.post(`${page}/app`, { code: code() }));
  expect(codes).toHaveLength(10);
  // Mails that go out together go in any order.
  await world.work();
  return { nick, browser, secret, codes, code };
}

type Step = {
  finish: (code: string) => Promise<VisitedPage>;
  /** The same by somebody who has got hold of the form. */
  again: (code: string) => Promise<VisitedPage>;
};

/** The first half of a log-in: the password. */
async function firstStep(browser: Visitor, nick: string): Promise<Step> {
  const asked = await browser.logIn(nick, password);
  expect([asked.status, asked.text.includes('name="code"'), asked.headers.get("set-cookie")]).toEqual([
    200,
    true,
    null,
  ]);
  const step = /name="step" value="([\w-]{43})"/.exec(asked.text)![1]!;
  return {
    finish: (code) => browser.post("/login", { step, code }),
    async again(code) {
      const other = visitorOf(world.app);
      await other.get("/login");
      return other.post("/login", { step, code });
    },
  };
}

const isIn = async (browser: Visitor): Promise<boolean> => (await browser.get("/network")).status === 200;

describe("an app for codes", () => {
  test("is read from a picture, asked for at log-in, and told of by mail", async () => {
    await world.person("anna");
    const browser = browserAt("192.0.2.1");
    await browser.logIn("anna", password);
    await browser.get(page);
    expect((await browser.post(`${page}/begin`, { password: "wrong horse" })).status).toBe(422);
    await browser.post(`${page}/begin`, { password });
    const shown = await browser.get(page);
    const svg = /<svg\s+class="qr-code"[^]*?<\/svg>/
      .exec(shown.text)![0]
      .replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
    const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const address = new URL(decodeQR({ data, width: info.width, height: info.height }));
    expect(address.protocol).toBe("otpauth:");
    expect(address.searchParams.get("secret")).toBe(secretIn(shown));
    expect((await browser.post(`${page}/app`, { code: "000000" })).status).toBe(422);
    expect((await browserAt("192.0.2.1").logIn("anna", password)).location).toBe("/network");
    const code = totpCode(secretIn(shown), totpStepAt(world.hub.clock()));
    expect(codesIn(await browser.post(`${page}/app`, { code: `${code.slice(0, 3)} ${code.slice(3)}` }))).toHaveLength(
      10,
    );
    await world.work();
    expect(mailbox.lastTo("anna@example.org").headers["subject"]).toBe("Logging in to Hubbub takes a code now");
    expect((await browser.get(page)).text).not.toContain(secretIn(shown));
    await firstStep(browserAt("192.0.2.1"), "anna");
  });

  test("lets in with a code once: neither it nor an earlier one works again", async () => {
    const { nick, secret, code } = await protectedPerson("bela");
    const earlier = code();
    const first = await firstStep(browserAt("192.0.2.1"), nick);
    const later = code();
    expect((await first.finish(later)).location).toBe("/network");
    expect((await first.again(code())).text).toContain("took too long");
    for (const used of [later, earlier, totpCode(secret, totpStepAt(world.hub.clock()) - 2)]) {
      const again = await (await firstStep(browserAt("192.0.2.1"), nick)).finish(used);
      expect([again.status, again.text.includes("This code is wrong")]).toEqual([422, true]);
    }
  });

  test("a log-in has ten minutes, belongs to its account, and ends with the password", async () => {
    const one = await protectedPerson("cora");
    const other = await protectedPerson("cleo");
    const browser = browserAt("192.0.2.1");
    const slow = await firstStep(browser, one.nick);
    expect((await slow.finish(other.code())).status).toBe(422);
    expect((await slow.finish(other.codes[0]!)).status).toBe(422);
    world.hub.advance(600);
    const late = await slow.finish(one.code());
    expect([late.status, late.text.includes("Begin again"), late.text.includes('name="login"')]).toEqual([
      422,
      true,
      true,
    ]);
    const halfway = await firstStep(browser, one.nick);
    await one.browser.get("/settings/account");
    const change = { old_password: password, code: one.code(), password: "a newer horse" };
    expect((await one.browser.post("/settings/account", { ...change, code: "" })).status).toBe(422);
    expect((await one.browser.post("/settings/account", change)).location).toContain("done=password");
    expect((await halfway.finish(one.code())).status).toBe(422);
  });

  test("guesses wait, also those of several networks; the owner's browser does not wait for strangers", async () => {
    const { nick, browser, code } = await protectedPerson("dana");
    await browser.get(page);
    await browser.post("/logout", {});
    await (await firstStep(browser, nick)).finish(code());
    const statuses = [];
    for (let n = 0; n < 14; n++) {
      const guess = await firstStep(browserAt(`198.51.100.${n}`), nick);
      statuses.push((await guess.finish("000000")).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), ...Array<number>(4).fill(429)]);
    expect((await (await firstStep(browserAt("198.51.100.99"), nick)).finish(code())).status).toBe(303);
    await browser.get(page);
    await browser.post("/logout", {});
    expect((await (await firstStep(browser, nick)).finish(code())).location).toBe("/network");
  });

  test("is asked for where a log-in comes back to a form, and what was typed stays", async () => {
    const { browser, code } = await protectedPerson("edda");
    browser.cookies.delete("hubbub");
    await browser.post("/network", { body: "words that took long" });
    const typed = { body: "words that took long", log_in_again: "1" };
    const asked = await browser.post("/network", { ...typed, login: "edda", password });
    const step = /name="step" value="([\w-]{43})"/.exec(asked.text)![1]!;
    expect(asked.text).toContain("words that took long");
    const back = await browser.post("/network", { ...typed, step, code: code() });
    expect([back.text.includes("You are logged in as @"), back.text.includes("words that took long")]).toEqual([
      true,
      true,
    ]);
    expect(back.text).not.toContain(step);
  });

  test("programs do not get in with the password alone, and are told what does", async () => {
    await protectedPerson("fred");
    const answer = await clientOf(world.app, `fred:${password}`).get("/api/z/1.0/verify");
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("asks for consent (OAuth)")]);
    expect((await clientOf(world.app, "fred:wrong horse").get("/api/z/1.0/verify")).status).toBe(401);
    expect((await clientOf(world.app, `fred:${password}`).get("/api/1.1/account/verify_credentials.json")).status).toBe(
      403,
    );
  });
});

test("what is no passkey is refused, and hubs that browsers take none for say so", async () => {
  const { browser } = await protectedPerson("kira");
  expect((await browser.get("/settings/account/passkeys")).text).toContain("Browsers allow passkeys only for hubs");
  const visitor = browserAt("192.0.2.1");
  await visitor.get("/login");
  const signed = { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" };
  for (const passkey of ["x", "[]", "null", "{}", JSON.stringify({ id: "AA", rawId: "AA", response: signed })])
    expect((await visitor.post("/login", { passkey })).status).toBe(422);
  const { finish: _, ...step } = await firstStep(visitor, "kira");
  expect((await step.again("")).status).toBe(422);
});

describe("recovery codes", () => {
  test("let in once each, however they are typed; the hub keeps none of them", async () => {
    const { nick, codes } = await protectedPerson("gina");
    const stored = JSON.stringify(await world.hub.db.selectFrom("recovery_code").selectAll().execute());
    for (const code of codes) expect(stored).not.toContain(code.replaceAll("-", ""));
    const typed = ` ${codes[0]!.toUpperCase().replaceAll("-", " ")}`;
    expect((await (await firstStep(browserAt("192.0.2.1"), nick)).finish(typed)).location).toBe("/network");
    expect((await (await firstStep(browserAt("192.0.2.1"), nick)).finish(codes[0]!)).status).toBe(422);
    expect((await (await firstStep(browserAt("192.0.2.1"), nick)).finish(codes[1]!)).location).toBe("/network");
  });

  test("new ones take the place of the old ones", async () => {
    const { nick, browser, codes, code } = await protectedPerson("hugo");
    expect((await browser.get(page)).text).toMatch(/10 are\s+left/);
    const fresh = codesIn(await browser.post(`${page}/codes`, { password, code: code() }));
    expect(new Set([...fresh, ...codes]).size).toBe(20);
    await world.work();
    expect(mailbox.lastTo("hugo@example.org").headers["subject"]).toBe("New recovery codes for Hubbub");
    expect((await (await firstStep(browserAt("192.0.2.1"), nick)).finish(codes[2]!)).status).toBe(422);
    expect((await (await firstStep(browserAt("192.0.2.1"), nick)).finish(fresh[2]!)).location).toBe("/network");
  });
});

describe("turning it off", () => {
  test("takes the password and a code; then the password alone lets in", async () => {
    const { nick, browser, code } = await protectedPerson("ilse");
    await browser.get(page);
    for (const wrong of [{ password }, { password, code: "000000" }, { password: "wrong horse", code: code() }])
      expect((await browser.post(`${page}/off`, wrong)).status).toBe(422);
    expect((await browser.post(`${page}/begin`, { password, code: code() })).status).toBe(422);
    expect((await browser.post(`${page}/off`, { password, code: code() })).location).toBe(`${page}?done=saved`);
    await world.work();
    expect(mailbox.lastTo("ilse@example.org").headers["subject"]).toContain("takes the password alone now");
    expect((await browserAt("192.0.2.1").logIn(nick, password)).location).toBe("/network");
    await browser.get(page);
    expect((await browser.post(`${page}/codes`, { password })).status).toBe(422);
  });

  test("is what the operator can do for somebody who has lost everything; a new password by mail leaves it on", async () => {
    const { nick, browser } = await protectedPerson("jana");
    const { account } = await world.hub.db
      .selectFrom("account")
      .select("account_id as account")
      .where("account_email", "=", "jana@example.org")
      .executeTakeFirstOrThrow();
    const owner = { account_id: account, account_email: "jana@example.org" };
    await firstStep(browserAt("192.0.2.1"), nick);
    await endSecondFactor(world.hub, owner, secondFactorEnded(languagesOf(world.hub).get("en")!.say));
    expect((await browserAt("192.0.2.1").logIn(nick, password)).location).toBe("/network");
    expect(await isIn(browser)).toBe(true);
  });
});
