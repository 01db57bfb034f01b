import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeChannel, openTestHub, password } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { sqlDate } from "../../../storage/sql.ts";
import { createAccount, findAccount, setAccountFlag, setPassword } from "./accounts.ts";
import { createChannel, setDefaultChannel } from "../channels/channels.ts";
import { removeChannel } from "../../connections/remove-channel.ts";
import { logIn } from "./log-in.ts";
import { addToDevice } from "./devices.ts";
import { countAttempt } from "./log-in-attempts.ts";
import { networkOf } from "./networks.ts";
import { selectChannel } from "./select-channel.ts";

const address = "192.0.2.1";
const refused = { kind: "unauthenticated", code: "login_needed" };

describe("log-in", () => {
  let hub: TestHub;
  let queries = 0;
  beforeAll(async () => {
    hub = await openTestHub({ onQuery: () => void (queries += 1) });
    await makeChannel(hub, "alma");
  });
  afterAll(() => hub.close());

  const nickAfter = async (login: string): Promise<string> =>
    (await logIn(hub, { login, password, address })).channel.channel_address;

  test("a nick, an e-mail address and nick@host lead to the channel, in any case", async () => {
    expect(await nickAfter(" Alma ")).toBe("alma");
    expect(await nickAfter("ALMA@example.org")).toBe("alma");
    expect(await nickAfter("alma@HUB.example")).toBe("alma");
  });

  test("a port of the hub may be left out, since Basic cannot carry it", async () => {
    const other = await openTestHub({ env: { HUBBUB_BASE_URL: "http://localhost:8080" } });
    await makeChannel(other, "alma");
    for (const login of ["alma@localhost", "alma@LOCALHOST:8080"])
      expect((await logIn(other, { login, password, address })).channel.channel_address).toBe("alma");
    await expect(logIn(other, { login: "alma@localhost:81", password, address })).rejects.toMatchObject(refused);
    await other.close();
  });

  test("the answer carries neither password nor private keys", async () => {
    const caller = await logIn(hub, { login: "alma", password, address });
    expect(JSON.stringify(caller)).not.toMatch(/PRIVATE|scrypt/);
    expect(caller.account.account_email).toBe("alma@example.org");
    expect(caller.channel.xchan_id).toBeGreaterThan(0);
  });

  test("every failure looks the same", async () => {
    for (const login of [
      "alma",
      "nobody",
      "nobody@example.org",
      "nobody@hub.example",
      "",
      "@",
      "x@y@z",
      "alma@elsewhere.example",
    ]) {
      await expect(logIn(hub, { login, password: "wrong", address })).rejects.toMatchObject(refused);
    }
  });

  test("a remembered password costs one query", async () => {
    for (const login of ["alma", "alma@example.org"]) {
      await logIn(hub, { login, password, address });
      queries = 0;
      await logIn(hub, { login, password, address });
      expect(queries).toBe(1);
    }
  });

  test("a wrong password is refused while the right one is remembered", async () => {
    await logIn(hub, { login: "alma", password, address });
    await expect(logIn(hub, { login: "alma", password: `${password} `, address })).rejects.toMatchObject(refused);
  });

  test("a new password ends the old one at once", async () => {
    await makeChannel(hub, "bea");
    await logIn(hub, { login: "bea", password, address });
    await setPassword(hub, (await findAccount(hub, "bea@example.org"))!.account_id, "a newer horse");
    await expect(logIn(hub, { login: "bea", password, address })).rejects.toMatchObject(refused);
    expect((await logIn(hub, { login: "bea", password: "a newer horse", address })).channel.channel_address).toBe(
      "bea",
    );
  });

  test("what is remembered ends after five minutes", async () => {
    await logIn(hub, { login: "alma", password, address });
    const work = vi.spyOn(hub.threads, "of");
    await logIn(hub, { login: "alma", password, address });
    expect(work).not.toHaveBeenCalled();
    hub.advance(301);
    await logIn(hub, { login: "alma", password, address });
    expect(work).toHaveBeenCalledOnce();
    work.mockRestore();
  });

  test.each(["unverified", "blocked", "expired", "removed", "pending"] as const)(
    "an account that is %s is out at once",
    async (flag) => {
      await makeChannel(hub, `with-${flag}`);
      const { account } = await logIn(hub, { login: `with-${flag}`, password, address });
      await setAccountFlag(hub, account.account_id, flag, true);
      for (const login of [`with-${flag}`, account.account_email]) {
        await expect(logIn(hub, { login, password, address })).rejects.toMatchObject(refused);
      }
    },
  );

  test("an account ends when it expires", async () => {
    const channel = await makeChannel(hub, "guest");
    const expire = (seconds: number) =>
      hub.db
        .updateTable("account")
        .set({ account_expires: sqlDate(new Date(hub.clock().getTime() + seconds * 1000)) })
        .where("account_id", "=", channel.channel_account_id)
        .execute();
    await expire(60);
    expect(await nickAfter("guest")).toBe("guest");
    await expire(-1);
    await expect(nickAfter("guest")).rejects.toMatchObject(refused);
  });

  test("a removed channel is out at once, and its account goes on with the next one", async () => {
    const first = await makeChannel(hub, "cora");
    const account = { account_id: first.channel_account_id };
    await createChannel(hub, account, { nick: "cora-two", name: "Two" });
    expect(await nickAfter("cora@example.org")).toBe("cora");
    await removeChannel(hub, first.channel_id);
    await expect(nickAfter("cora")).rejects.toMatchObject(refused);
    expect(await nickAfter("cora@example.org")).toBe("cora-two");
  });

  test("the address opens the default channel, and any own channel can be selected", async () => {
    const first = await makeChannel(hub, "dora");
    const second = await createChannel(
      hub,
      { account_id: first.channel_account_id },
      { nick: "dora-two", name: "Two" },
    );
    await setDefaultChannel(hub, first.channel_account_id, second.channel_id);
    const caller = await logIn(hub, { login: "dora@example.org", password, address });
    expect(caller.channel.channel_address).toBe("dora-two");
    expect((await selectChannel(hub, caller, "DORA")).channel.channel_id).toBe(first.channel_id);
    for (const nick of ["alma", "nobody", ""]) {
      await expect(selectChannel(hub, caller, nick)).rejects.toMatchObject({ kind: "denied", code: "wrong_channel" });
    }
  });

  test("the e-mail address of another account on this host does not open the channel of that name", async () => {
    await createAccount(hub, { email: "alma@hub.example", password: "their horse" });
    await expect(logIn(hub, { login: "alma@hub.example", password, address })).rejects.toMatchObject(refused);
  });
});

describe("throttling", () => {
  test("counts a login per address and an address in all, for ten minutes", async () => {
    const hub = await openTestHub({ env: { HUBBUB_RATE_LIMITS: "on" } });
    await makeChannel(hub, "eva");
    const attempt = (login: string, from: string, secret = "wrong") =>
      logIn(hub, { login, password: secret, address: from });
    for (let round = 0; round < 99; round += 1) await countAttempt(hub, "eva", address);
    await expect(attempt("eva", address)).rejects.toMatchObject(refused);
    await expect(attempt("eva", address, password)).rejects.toMatchObject({ kind: "too-many", retryAfter: 600 });
    await expect(attempt("other", address)).rejects.toMatchObject(refused);
    expect((await attempt("eva", "192.0.2.2", password)).channel.channel_address).toBe("eva");
    for (let round = 0; round < 1000; round += 1) await countAttempt(hub, `login-${round}`, `2001:db8::${round}`);
    await expect(attempt("eva", "2001:db8::ffff", password)).rejects.toMatchObject({
      kind: "too-many",
      retryAfter: 600,
    });
    hub.advance(600);
    expect((await attempt("eva", address, password)).channel.channel_address).toBe("eva");
    expect((await attempt("eva", "2001:db8::ffff", password)).channel.channel_address).toBe("eva");
    await hub.close();
  });

  test("those who guess at one account from everywhere wait, and nobody else does", async () => {
    const hub = await openTestHub({ env: { HUBBUB_RATE_LIMITS: "on" } });
    await makeChannel(hub, "ida");
    await makeChannel(hub, "eve");
    const attempt = (from: string, secret = "wrong", device?: string, login = "ida") =>
      logIn(hub, { login, password: secret, address: from, ...(device !== undefined && { device }) });
    const { account } = await attempt("2001:db8:1:1::1", password);
    const [own, other] = [
      await addToDevice(hub, "", account),
      await addToDevice(hub, "", (await attempt("192.0.2.9", password, undefined, "eve")).account),
    ];
    hub.advance(301);
    const strangers = `account ${account.account_id}`;
    for (let round = 0; round < 99; round += 1) await countAttempt(hub, `${round}`, `198.51.100.${round}`, strangers);
    await expect(attempt("203.0.113.1")).rejects.toMatchObject(refused);
    for (const wait of [1, 2, 4, 8]) {
      for (const device of [undefined, other, "x".repeat(44), `${own.slice(0, 22)}${other.slice(22)}`])
        await expect(attempt("203.0.113.2", password, device)).rejects.toMatchObject({ retryAfter: wait });
      hub.advance(wait);
      await expect(attempt("203.0.113.3", "wrong", undefined, "ida@example.org")).rejects.toMatchObject(refused);
    }
    for (let round = 0; round < 20; round += 1) {
      hub.advance(600);
      await countAttempt(hub, "ida", "203.0.113.4", strangers);
    }
    await expect(attempt("203.0.113.2", password)).rejects.toMatchObject({ kind: "too-many", retryAfter: 600 });
    expect((await attempt("2001:db8:1:1::ffff", password)).account).toEqual(account);
    hub.advance(301);
    expect((await attempt("203.0.113.2", password, own)).account).toEqual(account);
    // From there she is known now; a new password makes everybody a stranger again.
    hub.advance(301);
    expect((await attempt("203.0.113.2", password)).account).toEqual(account);
    await countAttempt(hub, "ida", "203.0.113.4", strangers);
    await setPassword(hub, account.account_id, "a newer horse");
    await expect(attempt("203.0.113.2", "a newer horse", own)).rejects.toMatchObject({ kind: "too-many" });
    await hub.close();
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"],
    ["2001:0DB8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["nonsense:", "nonsense:"],
    ["", ""],
  ])("%j is counted as %j", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("many attempts at the same moment do not slip through", async () => {
    const hub = await openTestHub({ env: { HUBBUB_RATE_LIMITS: "on" } });
    const kinds = await Promise.all(
      Array.from({ length: 120 }, () =>
        logIn(hub, { login: "x", password: "same", address }).catch((error: { kind: string }) => error.kind),
      ),
    );
    expect(kinds.filter((kind) => kind === "too-many")).toHaveLength(20);
    await hub.close();
  });

  test("a crowd with the right password is let in", async () => {
    const hub = await openTestHub({ env: { HUBBUB_RATE_LIMITS: "on" } });
    await makeChannel(hub, "fay");
    const all = await Promise.all(Array.from({ length: 90 }, () => logIn(hub, { login: "fay", password, address })));
    expect(all).toHaveLength(90);
    for (let round = 0; round < 50; round += 1) await logIn(hub, { login: "fay", password, address });
    await hub.close();
  });
});
