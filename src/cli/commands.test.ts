import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  hubbub,
  hubbubJson,
  hubbubProcess,
  emptyPlace,
  makePeople,
  newPlace,
  openPlace,
  serve,
  textsOf,
} from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";
import { put } from "../../test/support/files.ts";
import { onPostgres } from "../../test/support/hub.ts";
import { logIn } from "../domain/identity/accounts/log-in.ts";
import { accountRoles } from "../domain/identity/accounts/accounts.ts";
import { findChannelByNick } from "../domain/identity/channels/channels.ts";
import { keepFollowers } from "../domain/import/lists/brought-along.ts";
import { listLists, stopList } from "../domain/import/lists/lists.ts";
import { postItem } from "../domain/items/posting/post.ts";
import { addJob } from "../jobs/queue.ts";
import { readConfig } from "../config/config.ts";
import { migrate, openDatabase } from "../storage/database.ts";
import { migrationsFor } from "../storage/migrations/index.ts";
import { workOff } from "../workers.ts";

let place: Place;
beforeAll(async () => {
  place = await emptyPlace();
});
afterAll(() => place.remove());

const create = (nick: string, ...more: string[]) => [
  "account",
  "create",
  "--email",
  `${nick}@example.org`,
  "--password",
  "correct horse",
  "--nick",
  nick,
  "--name",
  nick,
  ...more,
];

describe("the calls that scripts depend on", () => {
  test("account create", async () => {
    const { code, stdout, stderr } = await hubbubProcess(place, [...create("alice"), "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({
      account_id: 1,
      channel_id: 1,
      nick: "alice",
      hash: expect.stringMatching(/^[\w-]{80,}$/),
    });
  });

  test("channel rotate-keys", async () => {
    const answer = await hubbubJson<{ nick: string; key: string }>(place, "channel", "rotate-keys", "alice");
    expect(answer).toMatchObject({ nick: "alice", key: expect.stringMatching(/^key-[0-9a-f]{12}$/) });
    expect((await hubbub(place, ["channel", "rotate-keys", "alice"])).stdout).toMatch(/alice signs with key-\w+\./);
    expect((await hubbub(place, ["channel", "rotate-keys", "nobody"])).code).toBe(1);
  });

  test("channel tell-followers", async () => {
    const nobody = await hubbub(place, ["channel", "tell-followers", "alice"]);
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      expect.stringContaining("No followers of alice wait to be told."),
    ]);
    const hub = await openPlace(place);
    const alice = (await findChannelByNick(hub, "alice"))!;
    await keepFollowers(hub, alice, "https://old.example/channel/alice", ["https://far.example/users/eva"]);
    await hub.close();
    const told = await hubbubJson(place, "channel", "tell-followers", "alice");
    expect(told).toMatchObject({ nick: "alice", former: ["https://old.example/channel/alice"] });
    expect((await hubbub(place, ["channel", "tell-followers", "alice"])).code).toBe(1);
    const later = await openPlace(place);
    const [list] = await listLists(later, alice.channel_id);
    await stopList(later, alice.channel_id, list!.id);
    await later.close();
    expect(await hubbubJson(place, "channel", "tell-followers", "alice")).toEqual(told);
  });

  test("connect, also when repeated", async () => {
    await hubbub(place, create("bob"));
    expect(await hubbubJson(place, "connect", "alice", "bob")).toEqual({ connected: true });
    expect(await hubbubJson(place, "connect", "bob", "alice")).toEqual({ connected: true });
    expect(await hubbubJson(place, "connect", "alice", "bob")).toEqual({ connected: true });
    const hub = await openPlace(place);
    const rows = await hub.db.selectFrom("abook").selectAll().where("abook_self", "=", 0).execute();
    const waiting = await hub.db
      .selectFrom("notify")
      .select("id")
      .where("kind", "=", "request")
      .where("seen", "=", 0)
      .execute();
    await hub.close();
    expect(waiting).toEqual([]);
    const state = { abook_pending: 0, follow_out: "accepted", follow_in: "accepted" };
    expect(rows).toEqual([expect.objectContaining(state), expect.objectContaining(state)]);
  });

  test("several at once on a database that is not there yet", async () => {
    const fresh = await emptyPlace();
    const outcomes = await Promise.all(["one", "two", "three"].map((nick) => hubbubProcess(fresh, create(nick))));
    expect(outcomes.map(({ code, stderr }) => [code, stderr.replaceAll(/^.*(up to date).*\n/gm, "")])).toEqual(
      outcomes.map(() => [0, ""]),
    );
    await fresh.remove();
  });
});

describe("accounts and channels", () => {
  test("are listed, changed and removed", async () => {
    await hubbub(place, create("carol", "--admin", "--role", "soapbox"));
    const accounts = await hubbubJson<Record<string, unknown>[]>(place, "account", "list");
    expect(accounts.map(({ email, administrator }) => [email, administrator])).toEqual([
      ["alice@example.org", false],
      ["bob@example.org", false],
      ["carol@example.org", true],
    ]);
    const made = await hubbubJson(
      place,
      "channel",
      "create",
      "--email",
      "carol@example.org",
      "--nick",
      "cats",
      "--name",
      "Cats",
    );
    expect(made).toMatchObject({ channel_id: 4, account_id: 3, nick: "cats" });
    expect(await hubbubJson(place, "channel", "remove", "cats")).toMatchObject({ nick: "cats", removed: true });
    const channels = await hubbubJson<{ nick: string }[]>(place, "channel", "list");
    expect(channels.map(({ nick }) => nick)).toEqual(["alice", "bob", "carol"]);
    expect((await hubbub(place, ["account", "list"])).stdout).toMatch(
      /account id +email +state[^]*carol@example.org +active +yes/,
    );
  });

  test("what a removed channel wrote and stored goes with it", async () => {
    const fresh = await newPlace();
    await makePeople(fresh, "gina", "gus");
    const hub = await openPlace(fresh);
    const gina = (await findChannelByNick(hub, "gina"))!;
    await postItem(hub, gina, { body: "words of a past" });
    await put(hub, gina, "plan.txt");
    await workOff(hub);
    expect(await textsOf(hub, "gus", "words")).toHaveLength(1);
    await hubbub(fresh, ["channel", "remove", "gina"]);
    await workOff(hub);
    expect(await textsOf(hub, "gus", "words")).toEqual([]);
    expect(await hub.db.selectFrom("attach").select("id").execute()).toEqual([]);
    await hub.close();
    await fresh.remove();
  });

  test("a password comes from standard input, and blocking shuts out", async () => {
    const changed = await hubbubProcess(place, ["account", "password", "carol@example.org", "--password", "-"], {
      input: "another horse\n",
    });
    expect([changed.code, changed.stdout]).toEqual([0, "carol@example.org has a new password.\n"]);
    const credentials = { login: "carol@example.org", password: "another horse", address: "127.0.0.1" };
    const hub = await openPlace(place);
    expect((await logIn(hub, credentials)).account.account_roles).toBe(accountRoles.administrator);
    expect(await hubbubJson(place, "account", "block", "carol@example.org")).toMatchObject({ state: "blocked" });
    await expect(logIn(hub, credentials)).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(await hubbubJson(place, "account", "unblock", "Carol@Example.org")).toMatchObject({ state: "active" });
    await logIn(hub, credentials);
    await hub.close();
  });

  test("a lost second factor is reset", async () => {
    const hub = await openPlace(place);
    await hub.db
      .updateTable("account")
      .set({ account_second_factor: 1 })
      .where("account_email", "=", "bob@example.org")
      .execute();
    await hub.close();
    const reset = await hubbubJson(place, "account", "reset-second-factor", "bob@example.org");
    expect(reset).toMatchObject({ email: "bob@example.org", second_factor: false });
  });
});

describe("what goes wrong", () => {
  const sentences: [string, string[], number, RegExp][] = [
    ["an address that is taken", create("alice"), 1, /^There is an account with this e-mail address already\.\n$/],
    ["a nick that is taken", create("alice").with(3, "other@example.org"), 1, /^This nick is taken\.\n$/],
    ["no e-mail address", create("x").with(3, "nobody"), 1, /^This is not an e-mail address\.\n$/],
    ["an unknown role", create("x", "--role", "king"), 2, /^There is no role "king"; there are social, .*\.\n$/],
    ["an unknown channel", ["connect", "alice", "nobody"], 1, /^Channel nobody not found\.\n$/],
    ["the same channel twice", ["connect", "alice", "alice"], 1, /^A channel cannot connect to itself\.\n$/],
    ["an unknown account", ["account", "block", "nobody@example.org"], 1, /^Account nobody@example.org not found\.\n$/],
    ["an unknown command", ["dance"], 2, /^error: unknown command 'dance'/],
    ["an unknown option", ["migrate", "--now"], 2, /^error: unknown option '--now'/],
    ["an argument too many", ["connect", "a", "b", "c"], 2, /^error: too many arguments/],
    ["a missing option", ["account", "create"], 2, /^error: required option '--email <address>' not specified/],
    ["no number of a job", ["jobs", "retry", "x"], 2, /^"x" is not the number of a job\.\n$/],
    [
      "a wrong setting",
      ["serve", "--port", "many"],
      2,
      /^HUBBUB_PORT is "many", but it should be a number from 0 to 65535\./,
    ],
    ["no backup", ["restore", "package.json", "--force"], 1, /^This is not a backup of a hub\.\n$/],
    ["a backup that is not there", ["restore", "/nowhere"], 1, /^There is no such file \(.*\)\.\n$/],
  ];

  test.each(sentences)("%s", async (_name, args, code, sentence) => {
    const outcome = await hubbub(place, [...args, "--json"]);
    expect(outcome.stderr).toMatch(sentence);
    expect([outcome.code, outcome.stdout]).toEqual([code, ""]);
  });

  test("no password where nobody can be asked", async () => {
    const outcome = await hubbubProcess(place, ["account", "password", "alice@example.org"]);
    expect([outcome.code, outcome.stderr]).toEqual([2, expect.stringMatching(/^A password is needed: .*\n$/)]);
  });

  test("a database that is out of reach", async () => {
    const nowhere = { env: { ...place.env, HUBBUB_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" } };
    const outcome = await hubbub(nowhere, ["account", "list"]);
    expect(outcome).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^The database cannot be reached: .*\n$/),
    });
  });

  test("a port that is taken", async () => {
    const running = await serve(place);
    const outcome = await hubbub(place, ["serve"]);
    expect(outcome).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Another program uses the port .*\n$/),
    });
    await running.stop();
  });
});

describe("the rest", () => {
  test("config says where each value comes from, and no secret", async () => {
    const env = { HUBBUB_LISTEN: "::1", HUBBUB_DATABASE_URL: "postgres://hubbub:geheim@localhost/hubbub" };
    const outcome = await hubbub({ env }, ["config", "--data", "/var/lib/hubbub", "--json"]);
    const settings = JSON.parse(outcome.stdout) as { name: string; value: string; source: string; meaning: string }[];
    const found = (name: string) => settings.find((setting) => setting.name === name);
    expect(found("HUBBUB_LISTEN")).toMatchObject({ value: "::1", source: "environment", meaning: expect.any(String) });
    expect(found("HUBBUB_DATA")).toMatchObject({ value: "/var/lib/hubbub", source: "command line" });
    expect(found("HUBBUB_BASE_URL")).toMatchObject({ value: "http://localhost:8080", source: "default" });
    expect(outcome.stdout).not.toContain("geheim");
  });

  test("migrate says before what it would do, and does nothing", async () => {
    const fresh = await emptyPlace();
    const { database } = readConfig(fresh.env);
    const db = openDatabase(database);
    // What would take long is done by jobs.
    expect((await hubbub(fresh, ["migrate", "--plan"])).stdout).toMatch(/^0003-.*; then by jobs: index-words$/m);
    const last = "0062-announcements";
    await migrate(db, database.engine, last);
    const mark = { message_id: 1, uid: 1, cat: "test", k: "mark", v: "1", sharing: 0 };
    await db.insertInto("iconfig").values(mark).execute();
    const { plan } = await hubbubJson<{ plan: { name: string; tables: object[]; jobs: string[] }[] }>(
      fresh,
      "migrate",
      "--plan",
    );
    const steps = Object.keys(migrationsFor(database.engine)).toSorted();
    expect(plan.map(({ name }) => name)).toEqual(steps.filter((name) => name > last));
    expect(plan.find(({ name }) => name === "0063-figures")?.tables).toEqual([]);
    expect(plan.find(({ name }) => name === "0066-marks-by-message")?.tables).toEqual([{ table: "iconfig", rows: 1 }]);
    expect(plan.flatMap(({ jobs }) => jobs)).toEqual(["end-channel", "forget-channel", "end-shares", "old-shares"]);
    expect((await hubbub(fresh, ["migrate", "--plan"])).stdout).toMatch(/^0063-figures: new tables only$/m);
    await migrate(db, database.engine);
    expect(await hubbubJson(fresh, "migrate", "--plan")).toEqual({ plan: [], underWay: [] });
    await db.destroy();
    await fresh.remove();
  });

  test("migrate is done once", async () => {
    const fresh = await emptyPlace();
    const steps = Object.keys(migrationsFor(onPostgres ? "postgres" : "sqlite")).toSorted();
    expect(await hubbubJson(fresh, "migrate")).toEqual({ steps });
    expect(await hubbubJson(fresh, "migrate")).toEqual({ steps: [] });
    await fresh.remove();
  });

  test("jobs that were given up are listed and tried again", async () => {
    const hub = await openPlace(place);
    await addJob(hub, "expire-item", { message: 1 });
    await hub.db
      .updateTable("job")
      .set({ dead: 1, attempts: 8, last_error: "no luck" })
      .where("name", "=", "expire-item")
      .execute();
    await hub.close();
    const [dead] = await hubbubJson<{ id: number }[]>(place, "jobs", "list", "--dead");
    expect(dead).toMatchObject({ name: "expire-item", payload: { message: 1 }, last_error: "no luck" });
    expect(await hubbubJson(place, "jobs", "retry", "999999")).toEqual({ retried: 0 });
    expect(await hubbubJson(place, "jobs", "retry", String(dead!.id))).toEqual({ retried: 1 });
    expect(await hubbubJson(place, "jobs", "list", "--dead")).toEqual([]);
    expect(await hubbubJson(place, "jobs", "list")).toContainEqual(
      expect.objectContaining({ id: dead!.id, attempts: 0 }),
    );
  });

  test("work does the jobs that others left", async () => {
    const fresh = await newPlace();
    const hub = await openPlace(fresh);
    await addJob(hub, "expire-item", { message: 0 });
    const left = () => hub.db.selectFrom("job").select("id").where("name", "=", "expire-item").execute();
    const worker = await serve(fresh, { command: "work" });
    await expect.poll(left).toEqual([]);
    expect(await worker.stop()).toEqual({ code: 0, signal: null });
    await hub.close();
    await fresh.remove();
  });

  test("docs writes the reference", async () => {
    const fresh = await newPlace();
    const { files } = await hubbubJson<{ files: string[] }>(fresh, "docs", "--to", fresh.folder);
    expect(files).toEqual(expect.arrayContaining(["native.md", "microblog.md", "openapi.json"]));
    await fresh.remove();
  });
});
