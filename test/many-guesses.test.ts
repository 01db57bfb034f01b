import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { setupToken } from "../src/domain/identity/accounts/setup.ts";
import { passwordCost } from "../src/password-cost.ts";
import { Threads } from "../src/threads.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import type { Answer } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { formWith, picture } from "./support/pictures.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** Passwords that are guessed take time of nobody but those who guess. */

const verify = "/api/z/1.0/verify";

let world: TestApp;
let anna: Person;
beforeAll(async () => {
  world = await openTestApp({ passwordCost });
  anna = await world.person("anna");
});
afterAll(() => world.close());

test("105 wrong passwords keep files, names and photos waiting for none of them", async () => {
  const tree = await picture(80, 60).jpeg().toBuffer();
  const form = formWith({ body: "A tree" }, [["media", tree, "tree.jpg", "image/jpeg"]]);
  const posted = await anna.send("POST", "/api/z/1.0/item/update", form);
  const photo = /\[zmg[^\]]*\]http:\/\/hub\.example(\/photo\/[\w.-]+)/.exec(posted.json.item.body)![1]!;
  const found: Answer[] = [];
  const guesses = Array.from({ length: 105 }, async (_, index) => {
    found.push(await clientOf(world.app, `nobody:guess ${index}`).get(verify));
  });
  await Promise.race(guesses);
  expect((await world.anonymous.get(photo)).status).toBe(200);
  await Promise.all([readFile(import.meta.filename), lookup("localhost")]);
  expect(found.filter(({ status }) => status === 401).length).toBeLessThan(11);
  await Promise.all(guesses);
  const refused = found.filter(({ status }) => status !== 401);
  expect(refused).toHaveLength(83);
  for (const { status, headers, json } of refused) {
    expect({ status, again: headers.get("retry-after") }).toEqual({ status: 429, again: "5" });
    expect(json).toMatchObject({ success: false, reason: "rate_limited", code: 429 });
  }
});

describe("while too many wait", () => {
  let setup: string;
  let member: Visitor;
  beforeAll(async () => {
    setup = `/setup/${await setupToken(world.hub)}`;
    member = visitorOf(world.app);
    await member.logIn("anna", password);
    // What is remembered of her password needs no thread.
    world.hub.advance(301);
    const none = { module: new URL("support/thread-work.ts", import.meta.url), threads: 0, queue: 0, limit: 1 };
    const full = new Threads().of<never>(none);
    vi.spyOn(world.hub.threads, "of").mockReturnValue(full);
  });
  afterAll(() => vi.restoreAllMocks());

  test("the microblog interface says so in its own form", async () => {
    const answer = await clientOf(world.app, "nobody:guess").get("/api/account/verify_credentials.json");
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.json).toMatchObject({ code: 429, error: expect.stringContaining("Try again soon") as string });
  });

  const person = { email: "new@example.org", nick: "newcomer", name: "New", site_name: "Hub", registration: "open" };
  test.each([
    ["/login", { login: "nobody", password }],
    ["/register", { ...person, password }],
    ["the set-up", { ...person, password }],
    ["/settings/account", { old_password: password, password: "another horse" }],
  ])("%s shows its form again, which says when to send it", async (place, fields) => {
    const path = place === "the set-up" ? setup : place;
    const visitor = path.startsWith("/settings") ? member : visitorOf(world.app);
    await visitor.get(path);
    const shown = await visitor.post(path, fields);
    expect(shown.status).toBe(429);
    expect(shown.headers.get("retry-after")).toBe("5");
    expect(shown.text).toMatch(/role="alert"[^>]*>[^<]*Try again soon/);
  });
});
