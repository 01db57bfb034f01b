import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub, password } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { openHub } from "../../../hub.ts";
import { createAccount, findAccount, listAccounts, setAccountFlag, setPassword } from "./accounts.ts";
import { hashOfNobody, hashPassword, verifyPassword } from "./passwords.ts";
import { findSession, openSession } from "./sessions.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

test("an account is found by its address in any case, and is never read with its password", async () => {
  const made = await createAccount(hub, { email: " Mia@Example.ORG ", password });
  expect(made).toMatchObject({
    account_email: "mia@example.org",
    account_language: "",
    account_parent: made.account_id,
  });
  expect(await findAccount(hub, "MIA@example.org")).toEqual(made);
  expect(JSON.stringify(await listAccounts(hub))).not.toContain("scrypt");
});

test("an address serves one account", async () => {
  await createAccount(hub, { email: "twice@example.org", password });
  await expect(createAccount(hub, { email: "TWICE@example.org", password })).rejects.toMatchObject({
    kind: "conflict",
    field: "email",
  });
});

test.each(["", "nobody", "a b@example.org", "@example.org", `${"x".repeat(255)}@example.org`])(
  "%j is no address",
  async (email) => {
    await expect(createAccount(hub, { email, password })).rejects.toMatchObject({ kind: "invalid", field: "email" });
  },
);

test.each([
  ["", "password_needed"],
  ["nine sign", "password_too_short"],
  ["🐎🐎🐎🐎🐎🐎🐎🐎🐎", "password_too_short"],
  ["x".repeat(1025), "password_too_long"],
  ["qwertyuiop", "password_well_known"],
  ["Password123", "password_well_known"],
  [" 1234567890", "password_well_known"],
  ["1111111111", "password_well_known"],
  ["1212121212", "password_well_known"],
  ["abcdefghij", "password_well_known"],
  ["9876543210", "password_well_known"],
])("%j is no password", async (password, code) => {
  const refused = { kind: "invalid", field: "password", code };
  await expect(createAccount(hub, { email: "weak@example.org", password })).rejects.toMatchObject(refused);
  await expect(setPassword(hub, 99_999, password)).rejects.toMatchObject(refused);
});

test("password hashes are salted and carry their parameters", async () => {
  const usual = await openHub(hub.config, { threads: hub.threads, log: hub.log });
  const [one, two] = await Promise.all([hashPassword(usual, "secret"), hashPassword(usual, "secret")]);
  for (const stored of [one, two, hashOfNobody(usual)]) expect(stored).toMatch(/^scrypt\$32768\$8\$1\$/);
  await usual.close();
  expect(one).not.toBe(two);
  expect(await verifyPassword(hub, "secret", one)).toBe(true);
  expect(await verifyPassword(hub, "Secret", one)).toBe(false);
  expect(await verifyPassword(hub, "secret", "nonsense")).toBe(false);
});

test("a new password and a block end the log-ins of browsers", async () => {
  const channel = await makeChannel(hub, "nora");
  const account = (await findAccount(hub, "nora@example.org"))!;
  const first = await openSession(hub, account, channel.channel_id);
  await setPassword(hub, account.account_id, "another horse");
  expect(await findSession(hub, first.token)).toBeUndefined();
  const second = await openSession(hub, account, channel.channel_id);
  expect(await setAccountFlag(hub, account.account_id, "blocked", true)).toMatchObject({ account_flags: 2 });
  expect(await findSession(hub, second.token)).toBeUndefined();
  expect(await setAccountFlag(hub, account.account_id, "blocked", false)).toMatchObject({ account_flags: 0 });
});

test("an unknown account cannot be changed", async () => {
  await expect(setPassword(hub, 99_999, password)).rejects.toMatchObject({ kind: "missing" });
  await expect(setAccountFlag(hub, 99_999, "blocked", true)).rejects.toMatchObject({ kind: "missing" });
});
