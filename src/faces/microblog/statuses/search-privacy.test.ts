import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { findConnectionTo, updateConnection } from "../../../domain/connections/connections.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import { saveSearch } from "../../../domain/items/timelines/saved-searches.ts";
import { befriend } from "../../../../test/support/people.ts";

/** What somebody may not see, no search finds: each question is answered as one for a word that nobody has ever written. */

const secret = "xyzzyword";
const never = "neverwritten";
/** What only those see who have it: its words in all the ways of asking for them. */
const ways = [
  secret,
  `"the ${secret}"`,
  "xyzzyw*",
  `#${secret}tag`,
  `since:2026-01-01 ${secret}`,
  `from:ann ${secret}`,
  "yzzywor",
  `-bread ${secret}`,
];

let world: TestApp;
let ann: Person;
let member: Person;
let friend: Person;
let stranger: Person;
let blocked: Person;
let link: string;

beforeAll(async () => {
  world = await openTestApp();
  const make = (nick: string): Promise<Person> => world.person(nick);
  [ann, member, friend] = [await make("ann"), await make("member"), await make("friend")];
  [stranger, blocked] = [await make("stranger"), await make("blocked")];
  for (const person of [member, friend, blocked]) await befriend(world.hub, ann.channel, person.channel);
  const group = await createGroup(world.hub, ann.channel.channel_id, "Choir");
  await addMembers(world.hub, ann.channel.channel_id, group.id, [member.channel.channel_hash]);
  const cid = (await findConnectionTo(world.hub, ann.channel.channel_id, blocked.channel.channel_hash))!.abook_id;
  await updateConnection(world.hub, ann.channel, cid, { blocked: true });
  const form = { status: `the ${secret} #${secret}tag`, title: `${secret} title`, group_allow: [group.id] };
  link = (await ann.post("/api/statuses/update", form)).json.external_url;
  await ann.post("/api/statuses/update", { status: "public doorstep" });
  await world.work();
});
afterAll(() => world.close());

type Door = [
  name: string,
  ask: (who: Person | TestApp["anonymous"], q: string) => Promise<{ status: number; text: string }>,
];

const doors: Door[] = [
  ["search.json", (who, q) => who.get("/api/search.json", { q })],
  ["search.xml", (who, q) => who.get("/api/search.xml", { q })],
  ["search.atom", (who, q) => who.get("/api/search.atom", { q })],
  ["1.1/search/tweets.json", (who, q) => who.get("/api/1.1/search/tweets.json", { q })],
  ["search.rss", (who, q) => who.get("/api/search.rss", { q })],
];

describe.each(doors)("%s", (_, ask) => {
  test("finds it for those whom it is for", async () => {
    for (const who of [ann, member])
      for (const q of [...ways.slice(0, 6), link]) expect((await ask(who, q)).text).toContain(`${secret} title`);
  });

  test("answers everybody else as if it had never been written", async () => {
    for (const who of [friend, stranger, blocked])
      for (const q of [...ways, link]) {
        const other =
          q === link
            ? link.replace(/[0-9a-f]{8}-/, "00000000-")
            : q.replaceAll(secret, never).replaceAll("xyzzyw*", "neverw*").replaceAll("yzzywor", "everwritte");
        const [found, nothing] = [await ask(who, q), await ask(who, other)];
        expect([who.nick, q, found.status]).toEqual([who.nick, q, nothing.status]);
        expect(withoutQuestion(found.text, q)).toBe(withoutQuestion(nothing.text, other));
      }
  });

  test("asks strangers for credentials", async () => {
    expect((await ask(world.anonymous, secret)).status).toBe(401);
  });
});

/** Answers repeat the question in several ways of writing. */
function withoutQuestion(text: string, q: string): string {
  const forms = [
    q,
    JSON.stringify(q).slice(1, -1),
    encodeURIComponent(q),
    new URLSearchParams({ q }).toString().slice(2),
  ];
  const escaped = forms.flatMap((form) => [form, form.replaceAll('"', "&quot;"), form.replaceAll("&", "&amp;")]);
  return escaped
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, form) => rest.replaceAll(form, "Q"), text);
}

test("who has blocked somebody is not found by that one", async () => {
  expect((await friend.get("/api/search", { q: "doorstep" })).json).toHaveLength(1);
  expect((await stranger.get("/api/search", { q: "doorstep" })).json).toHaveLength(1);
  const own = (await blocked.get("/api/search", { q: "doorstep from:ann" })).json;
  expect(own).toEqual([]);
});

test("saved searches are each channel's own", async () => {
  const { id } = await saveSearch(world.hub, ann.channel, secret);
  for (const [method, path] of [
    ["GET", "show"],
    ["POST", "destroy"],
    ["DELETE", "destroy"],
  ] as const) {
    const [theirs, unknown] = [
      await member.send(method, `/api/saved_searches/${path}/${id}`),
      await member.send(method, `/api/saved_searches/${path}/987654`),
    ];
    expect(theirs.status).toBe(404);
    expect(theirs.text.replaceAll(String(id), "N")).toBe(unknown.text.replaceAll("987654", "N"));
  }
  expect((await member.get("/api/saved_searches/list")).json).toEqual([]);
});
