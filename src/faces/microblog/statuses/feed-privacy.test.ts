import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend, connectionId, mark } from "../../../../test/support/people.ts";

/** A feed shows no more than the timeline that it is made of, and nothing to whoever has no log-in. */

const secret = "xyzzy";

let world: TestApp;
let ann: Person;
let member: Person;
let outsiders: Person[];

beforeAll(async () => {
  world = await openTestApp();
  [ann, member] = [await world.person("ann"), await world.person("member")];
  const [friend, blocked, stranger] = [
    await world.person("friend"),
    await world.person("blocked"),
    await world.person("stranger"),
  ];
  outsiders = [friend, blocked, stranger];
  for (const person of [member, friend, blocked]) await befriend(world.hub, ann.channel, person.channel);
  await mark(world.hub, ann.channel, blocked.channel, { blocked: true });
  const contact = await connectionId(world.hub, ann.channel, member.channel);
  const status = `${secret} #${secret}tag @friend @blocked @stranger`;
  await ann.post("/api/statuses/update", { status, title: secret, contact_allow: [contact] });
  await world.work();
  const [seen] = (await member.get("/api/statuses/home_timeline")).json;
  await member.post("/api/statuses/update", { status: `${secret} @ann`, in_reply_to_status_id: seen.id });
  await member.post("/api/favorites/create", { id: seen.id });
  await world.work();
});
afterAll(() => world.close());

const feeds = [
  "statuses/home_timeline.F",
  "statuses/public_timeline.F",
  "statuses/networkpublic_timeline.F",
  "statuses/mentions.F",
  "statuses/user_timeline/ann.F",
  "statuses/user_timeline/member.F",
  "favorites.F",
  `search.F?q=${secret}`,
  `search.F?q=%23${secret}tag`,
];

describe.each(["atom", "rss"])("%s", (format) => {
  test.each(feeds)("%s", async (feed) => {
    const path = `/api/${feed.replace(".F", `.${format}`)}`;
    for (const person of outsiders) {
      const { status, text } = await person.get(path);
      // What was asked stands in the head of the feed, in its own address and title.
      const said = text
        .split(/<entry>|<item>/)
        .slice(1)
        .join();
      expect([person.nick, status, said.includes(secret)]).toEqual([person.nick, 200, false]);
    }
    const nobody = await world.anonymous.get(path);
    expect([nobody.status, nobody.text.includes(`>${secret}`)]).toEqual([401, false]);
  });

  test("those who are meant have it", async () => {
    for (const feed of ["statuses/home_timeline", "statuses/user_timeline/ann", "favorites"])
      expect((await member.get(`/api/${feed}.${format}`)).text).toContain(secret);
  });

  test("it is in no feed of the channel", async () => {
    for (const path of [`/feed/ann.${format}`, `/feed/member.${format}`]) {
      const { status, text } = await world.anonymous.get(path);
      expect([status, text.includes(secret)]).toEqual([200, false]);
    }
  });
});
