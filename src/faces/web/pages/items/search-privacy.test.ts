import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../../test/support/app.ts";
import { password } from "../../../../../test/support/hub.ts";
import { befriend, mark, nobody } from "../../../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";

/** The page of a search answers those who may not see a post as if nobody had ever written it. */

const secret = "xyzzyword";
const never = "neverword";
const visitors = new Map<string, Visitor>();
let world: TestApp;

beforeAll(async () => {
  world = await openTestApp();
  const people = new Map<string, Person>();
  for (const nick of ["ann", "member", "friend", "blocked", "stranger"]) people.set(nick, await world.person(nick));
  const [ann, member] = [people.get("ann")!, people.get("member")!];
  for (const nick of ["member", "friend", "blocked"]) await befriend(world.hub, ann.channel, people.get(nick)!.channel);
  await mark(world.hub, ann.channel, people.get("blocked")!.channel, { blocked: true });
  const audience = { ...nobody, allow_cid: [member.channel.channel_hash] };
  await postItem(world.hub, ann.channel, { body: `the ${secret} of marmalade #${secret}`, audience });
  await world.work();
  for (const nick of ["ann", "member", "friend", "blocked", "stranger"]) {
    const visitor = visitorOf(world.app);
    await visitor.logIn(nick, password);
    visitors.set(nick, visitor);
  }
  visitors.set("nobody", visitorOf(world.app));
});
afterAll(() => world.close());

const doors = [
  "/search?search=Q",
  "/search?search=Q&order=best",
  "/search?search=Q&before=1000000",
  "/search?search=%23Q",
  "/search?tag=Q",
  "/search?search=%22the+Q%22",
  "/search?search=Q*",
  "/search?search=from:ann+Q",
  "/search?search=Q+until:2030-01-01",
];

function pageFor(nick: string, door: string, word: string) {
  return visitors.get(nick)!.get(door.replace("Q", word));
}

/** Without the question, and without what is new on each page. */
function comparable(text: string, word: string): string {
  return withoutTokens(text)
    .replaceAll(word, "Q")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "")
    .replaceAll(/nonce="[^"]*"/g, "");
}

describe.each(doors)("%s", (door) => {
  test.each(["ann", "member"])("shows it to %s", async (nick) => {
    expect((await pageFor(nick, door, secret)).text).toContain("of marmalade");
  });

  test.each(["friend", "blocked", "stranger", "nobody"])("has nothing for %s", async (nick) => {
    const [found, nothing] = [await pageFor(nick, door, secret), await pageFor(nick, door, never)];
    expect([found.status, nothing.status]).toEqual([200, 200]);
    expect(comparable(found.text, secret)).toBe(comparable(nothing.text, never));
  });
});
