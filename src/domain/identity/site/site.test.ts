import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeChannel, openTestHub, password } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { findAccount, setAccountFlag } from "../accounts/accounts.ts";
import { logIn } from "../accounts/log-in.ts";
import { register, signUp } from "../accounts/register.ts";
import { isSetupToken, setUp, setupToken } from "../accounts/setup.ts";
import { changeSite, siteKeys, siteSettings, getSetting } from "./site-settings.ts";
import { lock, unlock } from "./locked.ts";
import { settleAddress, siteAddress } from "./site-address.ts";

let hub: TestHub;
beforeEach(async () => {
  hub = await openTestHub();
});
afterEach(() => hub.close());

const address = "192.0.2.1";
const ann = { email: "ann@example.org", password, nick: "ann", name: "Ann" };

test("the set-up link works once, for the administrator", async () => {
  const token = (await setupToken(hub))!;
  await makeChannel(hub, "from-the-command-line");
  expect(await setupToken(hub)).toBe(token);
  expect(await isSetupToken(hub, token)).toBe(true);
  await expect(setUp(hub, "guess", ann)).rejects.toMatchObject({ kind: "missing" });
  const { account } = await setUp(hub, token, ann);
  expect(account).toMatchObject({ account_roles: 4096, account_email: "ann@example.org" });
  expect(await setupToken(hub)).toBeUndefined();
  expect(await isSetupToken(hub, token)).toBe(false);
  await expect(setUp(hub, token, { ...ann, email: "b@example.org", nick: "bob" })).rejects.toMatchObject({
    kind: "missing",
  });
});

test("two people who follow the link at once do not both become administrator", async () => {
  const token = (await setupToken(hub))!;
  const both = await Promise.allSettled([
    setUp(hub, token, ann),
    setUp(hub, token, { ...ann, email: "b@example.org", nick: "bob" }),
  ]);
  expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("an account without its channel is not made", async () => {
  await makeChannel(hub, "ann");
  await expect(register(hub, { ...ann, email: "ann-two@example.org" })).rejects.toMatchObject({
    kind: "conflict",
    field: "nick",
  });
  expect(await findAccount(hub, "ann-two@example.org")).toBeUndefined();
});

test("the site says who may sign up", async () => {
  expect(await getSetting(hub, "registration")).toBe("open");
  expect((await signUp(hub, { ...ann, address })).account.account_flags).toBe(0);
  await changeSite(hub, { registration: "approval" });
  const { account } = await signUp(hub, {
    ...ann,
    email: "bob@example.org",
    nick: "bob",
    reason: "Friends",
    address,
  });
  expect(account.account_flags).toBe(16);
  const attempt = { login: "bob", password, address };
  await expect(logIn(hub, attempt)).rejects.toMatchObject({ kind: "unauthenticated" });
  await setAccountFlag(hub, account.account_id, "pending", false);
  expect((await logIn(hub, attempt)).channel.channel_address).toBe("bob");
  await changeSite(hub, { registration: "closed" });
  await expect(signUp(hub, { ...ann, email: "cem@example.org", nick: "cem", address })).rejects.toMatchObject({
    kind: "denied",
  });
});

test("five accounts an hour come from one network, and what is refused costs nothing", async () => {
  const limited = await openTestHub({ env: { HUBBUB_RATE_LIMITS: "on" } });
  await makeChannel(limited, "taken");
  const join = (nick: string, from = "2001:db8:0:7::1", fields = {}) =>
    signUp(limited, { password, name: nick, nick, email: `${nick}@example.net`, address: from, ...fields });
  for (const nick of ["a", "b", "c", "d"]) await join(nick, `2001:db8:0:7::${nick}`);
  const [work, keys] = [vi.spyOn(limited.threads, "of"), vi.spyOn(limited, "makeKeys")];
  await expect(join("taken")).rejects.toMatchObject({ kind: "conflict", field: "nick" });
  await expect(join("e", undefined, { email: "taken@example.org" })).rejects.toMatchObject({ field: "email" });
  await expect(join("e", undefined, { name: "" })).rejects.toMatchObject({ field: "name" });
  await expect(join("e", undefined, { password: "short" })).rejects.toMatchObject({ field: "password" });
  expect(work).not.toHaveBeenCalled();
  await join("e");
  work.mockClear();
  keys.mockClear();
  await expect(join("f")).rejects.toMatchObject({ kind: "too-many", retryAfter: 3600 });
  // The list of the best-known passwords alone was asked.
  expect([work.mock.calls.length, keys.mock.calls.length]).toEqual([1, 0]);
  await join("g", "2001:db8:0:8::1");
  limited.advance(3600);
  await join("h");
  vi.restoreAllMocks();
  await limited.close();
});

test("site settings have defaults and can be changed", async () => {
  expect(await siteSettings(hub)).toEqual({ name: "Hubbub", registration: "open", blockPublic: false });
  await changeSite(hub, { name: "Our hub", blockPublic: true });
  // A closed hub is the safe reading of what nobody knows.
  await hub.db.insertInto("setting").values({ k: "registration", v: "by magic" }).execute();
  expect(await getSetting(hub, "registration")).toBe("closed");
  expect([await getSetting(hub, "name"), await getSetting(hub, "blockPublic")]).toEqual(["Our hub", true]);
  const keys = await siteKeys(hub);
  expect(await siteKeys(hub)).toEqual(keys);
  expect(keys.publicKey).toContain("BEGIN PUBLIC KEY");
});

test("a hub stays at the address at which it has served", async () => {
  const settled = await openTestHub({ env: { HUBBUB_BASE_URL: "https://one.example" } });
  await settleAddress(settled);
  await settleAddress(settled);
  const other = { ...settled, config: { ...settled.config, baseUrl: "https://two.example" } };
  await expect(settleAddress(other)).rejects.toMatchObject({ code: "address_is_settled" });
  expect(await siteAddress(settled)).toBe("https://one.example");
  await settled.close();
});

test("what was locked opens by its own name alone, and whatever is no lock of the hub's opens nothing", async () => {
  const locked = await lock(hub, "one", "a secret");
  expect(await unlock(hub, "one", locked)).toBe("a secret");
  expect(await unlock(hub, "other", locked)).toBeUndefined();
  for (const damaged of ["", "x", "in the clear", locked.slice(0, 16), locked.slice(0, 30), locked.slice(0, -1)])
    expect(await unlock(hub, "one", damaged)).toBeUndefined();
});
