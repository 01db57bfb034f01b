import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addMembers, createGroup } from "../src/domain/groups/groups.ts";
import { setConfig } from "../src/domain/identity/channels/channel-config.ts";
import { limits } from "../src/domain/identity/channels/roles.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { bearerFor, mastodonClient, uploadPicture } from "./support/mastodon.ts";
import type { MastodonClient } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";
import { size } from "./support/size.ts";

/**
 * Random posts by every way that an application has to say for whom they are (mastodon contract 6.2 to 6.4): whoever was not
 * asked for sees nothing of them by any door.
 */

const names = ["ann", "bob", "cara", "dora", "eve"] as const;
type Name = (typeof names)[number];
type Who = Name | "nobody";

let world: TestApp;
let people: Record<Name, Person>;
let clients: Record<Who, MastodonClient>;
/** What each has heard so far. */
let heard: Record<Name, string>;
let choir: string;
let stop: (() => Promise<void>)[];

/** Ann knows Bob and Cara, and Bob sings in her choir; Dora knows nobody, and lets everybody write to her; Ann has blocked Eve, whom she knew. */
beforeAll(async () => {
  world = await openTestApp();
  const { hub } = world;
  const made = await Promise.all(names.map((name) => world.person(name)));
  people = Object.fromEntries(names.map((name, index) => [name, made[index]])) as typeof people;
  const { ann, bob, cara, eve } = people;
  for (const one of [bob, cara, eve]) await befriend(hub, ann.channel, one.channel);
  const group = await createGroup(hub, ann.channel.channel_id, "Choir", { visible: true });
  await addMembers(hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash]);
  choir = String(group.id);
  await setConfig(hub, people.dora.channel.channel_id, "perm_limits", "post_mail", String(limits.site));
  await world.work();
  clients = { nobody: mastodonClient(world) } as typeof clients;
  heard = {} as typeof heard;
  stop = [];
  for (const name of names) {
    const token = await bearerFor(world, people[name].channel, "read write follow push");
    clients[name] = mastodonClient(world, token);
    heard[name] = "";
    for (const stream of ["user", "public", "public/local"]) await listen(name, stream, token);
  }
  await clients.ann.post(`/api/v1/accounts/${eve.channel.xchan_id}/block`);
});

afterAll(async () => {
  for (const end of stop) await end();
  await world.close();
});

async function listen(name: Name, stream: string, token: string): Promise<void> {
  const answer = await world.app.request(`http://hub.example/api/v1/streaming/${stream}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const reading = (async () => {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) heard[name] += value;
  })();
  stop.push(async () => {
    await reader.cancel();
    await reading;
  });
}

const friends: Who[] = ["ann", "bob", "cara"];
const members: Who[] = ["ann", "dora", "eve", "bob", "cara"];

/** What Ann asks for, and who may see it then; undefined is everybody. */
const ways: Record<string, [form: (text: string) => Record<string, unknown>, seen: Who[] | undefined]> = {
  public: [(status) => ({ status, visibility: "public" }), undefined],
  unlisted: [(status) => ({ status, visibility: "unlisted" }), undefined],
  private: [(status) => ({ status, visibility: "private" }), friends],
  "private with a mention": [(status) => ({ status: `${status} @dora`, visibility: "private" }), friends],
  direct: [(status) => ({ status: `${status} @cara`, visibility: "direct" }), ["ann", "cara"]],
  "direct to a stranger": [(status) => ({ status: `@dora ${status}`, visibility: "direct" }), ["ann", "dora"]],
  "direct to nobody": [(status) => ({ status, visibility: "direct" }), ["ann"]],
  "the id of a group": [(status) => ({ status, visibility: choir }), ["ann", "bob"]],
  "a group by its word": [(status) => ({ status: `${status} @cara`, visibility: `list:${choir}` }), ["ann", "bob"]],
  local: [(status) => ({ status, visibility: "local" }), members],
  local_only: [(status) => ({ status, visibility: "unlisted", local_only: true }), members],
  "a private mention": [(status) => ({ status: `${status} @!cara`, visibility: "public" }), ["ann", "cara"]],
  "an address line": [(status) => ({ status: `!!Choir\n${status}`, visibility: "public" }), ["ann", "bob"]],
  "an address line with a person": [
    (status) => ({ status: `@!cara\n${status} @dora`, visibility: "unlisted" }),
    ["ann", "cara"],
  ],
};

const posts = fc.array(
  fc.record({
    way: fc.constantFrom(...Object.keys(ways)),
    pictured: fc.boolean(),
    warned: fc.boolean(),
    /** Who answers and does more with it, as far as they may. */
    by: fc.constantFrom(...names),
    alone: fc.boolean(),
  }),
  { minLength: 3, maxLength: 5 },
);

let number = 0;
/** A word of letters alone, so that it is searched for as one. */
const word = (): string => `marmalade${[...String(number++)].map((digit) => "abcdefghij"[Number(digit)]).join("")}z`;

type Told = { way: string; words: string[]; seen: Set<Who> | undefined; media: string[]; id: string };

async function tell({ way, pictured, warned, by, alone }: typeof posts extends fc.Arbitrary<(infer P)[]> ? P : never) {
  const [form, seen] = ways[way]!;
  const words = [word(), word()];
  const told: Told[] = [];
  const media = pictured ? await uploadPicture(clients.ann) : undefined;
  const more = { ...(media && { media_ids: [media.id] }), ...(warned && { spoiler_text: words[1] }) };
  const { status, json, text } = await clients.ann.post("/api/v1/statuses", { ...form(words[0]!), ...more });
  expect([way, status, status === 200 || text]).toEqual([way, 200, true]);
  await world.work();
  const urls = json.media_attachments.flatMap(({ url, preview_url }: Record<string, string>) => [url, preview_url]);
  told.push({ way, words, seen: seen && new Set(seen), media: urls, id: json.id });
  const own = await clients[by].get(`/api/v1/statuses/${json.id}`);
  if (own.status !== 200) return told;
  for (const deed of ["favourite", "bookmark", "reblog"]) await clients[by].post(`/api/v1/statuses/${json.id}/${deed}`);
  const answer = word();
  const reply = { status: answer, in_reply_to_id: json.id, ...(alone && { visibility: "direct" }) };
  const answered = await clients[by].post("/api/v1/statuses", reply);
  await world.work();
  // An answer to somebody alone is for them; any other has the audience of its thread.
  const apart = alone && answered.json.in_reply_to_id === null;
  if (answered.status === 200)
    told.push({
      way: `an answer to ${way}`,
      words: [answer],
      seen: apart ? new Set<Who>(["ann", by]) : seen && new Set(seen),
      media: [],
      id: answered.json.id,
    });
  return told;
}

/** All that somebody is shown by lists. */
async function shownTo(who: Who): Promise<string> {
  const ids = names.map((name) => String(people[name].channel.xchan_id));
  const lists = [
    "timelines/home",
    "timelines/public",
    "timelines/public?local=true",
    ...ids.flatMap((id) => [`accounts/${id}/statuses`, `accounts/${id}`]),
    "bookmarks",
    "favourites",
    "notifications",
    "conversations",
    `timelines/list/${choir}`,
  ].map((path) => `/api/v1/${path}`);
  let text = who === "nobody" ? "" : heard[who];
  for (const path of [...lists, "/api/v2/notifications"])
    text += (await clients[who].get(path, { limit: 40 })).text.replaceAll(/"q":"[^"]*"/g, "");
  return text;
}

test("nobody sees what was not asked for, by any door", async () => {
  await fc.assert(
    fc.asyncProperty(posts, async (asked) => {
      const told: Told[] = [];
      for (const one of asked) told.push(...(await tell(one)));
      for (const who of [...names, "nobody"] as const) {
        const text = await shownTo(who);
        for (const { way, words, seen, media, id } of told) {
          const mine = `${who}, ${way}`;
          if (seen === undefined || seen.has(who)) {
            // Whoever knows Ann has it before them.
            const mine = `${who}, ${way}: ${words[0]}`;
            if (friends.includes(who) && !way.startsWith("an answer"))
              expect([mine, text.includes(words[0]!)]).toEqual([mine, true]);
            continue;
          }
          for (const one of words) expect([mine, text.includes(one)]).toEqual([mine, false]);
          for (const path of ["", "/context", "/reblogged_by", "/favourited_by", "/history", "/quotes", "/source"])
            expect([mine, path, (await clients[who].get(`/api/v1/statuses/${id}${path}`)).status]).not.toEqual([
              mine,
              path,
              200,
            ]);
          const { json } = await clients[who].get("/api/v2/search", { q: words[0] });
          expect([mine, json.statuses ?? []]).toEqual([mine, []]);
          for (const url of media) {
            // Without what was signed for the one who was shown the address.
            const { pathname } = new URL(url);
            expect([mine, (await world.anonymous.get(pathname)).status]).toEqual([mine, 404]);
          }
        }
      }
    }),
    { numRuns: size(3, 60) },
  );
  // They do hear what is for them.
  for (const name of ["ann", "bob"] as const) expect(heard[name]).toContain("marmalade");
});
