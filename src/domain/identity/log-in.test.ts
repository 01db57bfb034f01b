import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeChannel, openTestHub, password } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { sqlDate } from "../../storage/sql.ts";
import { createAccount, findAccount, setAccountFlag, setPassword } from "./accounts.ts";
import { createChannel, removeChannel, setDefaultChannel } from "./channels.ts";
import { logIn } from "./log-in.ts";
import { countAttempt } from "./log-in-attempts.ts";
import { selectChannel } from "./select-channel.ts";

const address = "192.0.2.1";
const refused = { kind: "unauthenticated", message: "This API requires login" };

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
      await expect(selectChannel(hub, caller, nick)).rejects.toMatchObject({ kind: "denied", reason: "wrong_channel" });
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
    for (let round = 0; round < 99; round += 1) countAttempt(hub, "eva", address);
    await expect(attempt("eva", address)).rejects.toMatchObject(refused);
    await expect(attempt("eva", address, password)).rejects.toMatchObject({ kind: "too-many", retryAfter: 600 });
    await expect(attempt("other", address)).rejects.toMatchObject(refused);
    expect((await attempt("eva", "192.0.2.2", password)).channel.channel_address).toBe("eva");
    for (let round = 0; round < 1000; round += 1) countAttempt(hub, `login-${round}`, "192.0.2.3");
    await expect(attempt("eva", "192.0.2.3", password)).rejects.toMatchObject({ kind: "too-many", retryAfter: 600 });
    hub.advance(600);
    expect((await attempt("eva", address, password)).channel.channel_address).toBe("eva");
    expect((await attempt("eva", "192.0.2.3", password)).channel.channel_address).toBe("eva");
    await hub.close();
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
