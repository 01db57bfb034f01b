import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, receiveAccept } from "../src/domain/connections/connections.ts";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import { deleteItem } from "../src/domain/items/posting/delete.ts";
import { editItem } from "../src/domain/items/posting/edit.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import type { Answer } from "./support/client.ts";
import { arrivesIn } from "./support/incoming.ts";
import { mastodonPerson } from "./support/mastodon.ts";
import type { MastodonClient } from "./support/mastodon.ts";
import { befriend } from "./support/people.ts";
import { size } from "./support/size.ts";

/**
 * Lists walked by their `Link` headers, down from the top and up from the bottom, while others post, edit and delete, here and
 * elsewhere (Mastodon contract 7): what is there all the time comes once, nothing twice, and everything in order.
 */

let world: TestApp;
let ann: MastodonClient;
let bob: Channel;
let arrives: (activity: object) => Promise<unknown>;
const paths: Record<string, string> = {
  home: "/api/v1/timelines/home",
  public: "/api/v1/timelines/public",
  tag: "/api/v1/timelines/tag/tea",
  notifications: "/api/v1/notifications",
};
const lists = ["home", "public", "tag", "account", "notifications"];

/** What bob has posted and not deleted. */
let posted: number[] = [];
/** The same of carla, who is elsewhere. */
let told: string[] = [];
let count = 0;
const actor = actorOf("carla");
const everybody = "https://www.w3.org/ns/activitystreams#Public";

beforeAll(async () => {
  world = await openTestApp();
  const { hub } = world;
  const reader = (await world.person("ann")).channel;
  bob = (await world.person("bob")).channel;
  await befriend(hub, reader, bob);
  const carla = await meetActor(hub, actor);
  await connect(hub, reader, { xchan_hash: carla.xchan_hash });
  await receiveAccept(hub, reader, carla);
  arrives = arrivesIn(hub);
  ann = await mastodonPerson(world, reader);
  const { json } = await ann.get("/api/v1/accounts/lookup", { acct: "bob" });
  paths["account"] = `/api/v1/accounts/${json.id}/statuses`;
  for (let n = 0; n < 10; n++) await act({ what: n % 3 === 2 ? "arrives" : "posts", which: 0 });
});
afterAll(() => world.close());

/** More than this would not stand on one page, with which the walks are compared. */
const most = 30;

type Deed = { what: "posts" | "arrives" | "edits" | "deletes" | "is deleted"; which: number };
const deed: fc.Arbitrary<Deed> = fc.record({
  what: fc.constantFrom("posts", "posts", "arrives", "edits", "deletes", "is deleted"),
  which: fc.nat({ max: most }),
});

async function act({ what, which }: Deed): Promise<void> {
  const isFull = posted.length + told.length >= most;
  const [own, far] = [posted[which % posted.length], told[which % told.length]];
  const body = `@ann #tea number ${++count}`;
  if (what === "edits" && own !== undefined) await editItem(world.hub, bob, own, { body });
  else if (own !== undefined && (what === "deletes" || (what === "posts" && isFull))) {
    await deleteItem(world.hub, bob, { id: own });
    posted = posted.filter((id) => id !== own);
  } else if (far !== undefined && (what === "is deleted" || (what === "arrives" && isFull))) {
    const object = { type: "Tombstone", id: far };
    await arrives({ id: `${far}/gone`, type: "Delete", actor: actor.id, to: everybody, object });
    told = told.filter((id) => id !== far);
  } else if (what === "arrives") {
    const id = `${actor.id}/${count}`;
    const me = `${world.hub.config.baseUrl}/channel/ann`;
    const tag = [
      { type: "Mention", href: me, name: "@ann@hub.example" },
      { type: "Hashtag", href: "https://far.example/tags/tea", name: "#tea" },
    ];
    const to = [everybody, me];
    const object = { type: "Note", id, attributedTo: actor.id, to, content: `<p>${body}</p>`, tag };
    await arrives({ id: `${id}/create`, type: "Create", actor: actor.id, to, object });
    told.push(id);
  } else posted.push((await postItem(world.hub, bob, { body })).id);
  await world.work();
}

/** The ids of a page, and where its `Link` leads. */
function read({ json, headers }: Answer, rel: "next" | "prev"): { ids: number[]; leads: string | undefined } {
  const [, url] = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get("link") ?? "") ?? [];
  return { ids: json.map(({ id }: { id: string }) => Number(id)), leads: url && url.slice(url.indexOf("/", 8)) };
}

async function all(list: string): Promise<number[]> {
  return read(await ann.get(paths[list]!, { limit: 40 }), "next").ids;
}

/** The ids in the order in which the pages bring them; one deed between two pages. */
async function walk(list: string, up: boolean, limit: number, deeds: readonly Deed[]): Promise<number[]> {
  const ids: number[] = [];
  let page = read(await ann.get(paths[list]!, up ? { limit, min_id: 1 } : { limit }), up ? "prev" : "next");
  for (const left = [...deeds]; page.ids.length > 0;) {
    ids.push(...(up ? page.ids.toReversed() : page.ids));
    const next = left.shift();
    if (next) await act(next);
    if (page.leads === undefined) break;
    page = read(await ann.get(page.leads), up ? "prev" : "next");
  }
  return ids;
}

test.each(lists.flatMap((list) => [[list, "down"] as const, [list, "up"] as const]))(
  "%s, %s",
  async (list, direction) => {
    const up = direction === "up";
    const some = fc.array(deed, { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 7 }), some, async (limit, deeds) => {
        const before = await all(list);
        const walked = await walk(list, up, limit, deeds);
        const after = new Set(await all(list));
        const stayed = before.filter((id) => after.has(id));
        expect(stayed.filter((id) => !walked.includes(id))).toEqual([]);
        expect(walked).toEqual([...new Set(walked)].toSorted((a, b) => (up ? a - b : b - a)));
      }),
      { numRuns: size(2, 40) },
    );
  },
);
