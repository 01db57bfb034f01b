import fc from "fast-check";
import type { Hono } from "hono";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { size } from "../../../test/support/size.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { createGuest } from "../../domain/connections/connections.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";
import { limits } from "../../domain/identity/channels/roles.ts";
import { changeSite } from "../../domain/identity/site/site-settings.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { editItem } from "../../domain/items/posting/edit.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { react } from "../../domain/items/posting/react.ts";
import type { Item } from "../../domain/items/types.ts";
import { Caches } from "../../caches.ts";
import { shelves } from "./kept-pages.ts";
import { createApp } from "../../main.ts";

/** Pages that are kept for strangers, beside the same pages made anew: whatever happens, and whoever looks in between. */

let world: TestApp;
let ann: Person;
let bob: Person;
/** Makes every page anew. */
let forgetful: Hono;
let viewers: Visitor[];
let posts: Item[];

beforeAll(async () => {
  world = await openTestApp();
  const { hub, app } = world;
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(hub, ann.channel, bob.channel);
  const guest = await createGuest(hub, ann.channel, { name: "Granny" });
  const stranger = visitorOf(app);
  const [formerMember, asGuest, asAnn, asBob] = [visitorOf(app), visitorOf(app), visitorOf(app), visitorOf(app)];
  await formerMember.get("/login");
  await asGuest.get(`/channel/ann?zat=${guest.atoken_token}`);
  await asAnn.logIn("ann", password);
  await asBob.logIn("bob", password);
  viewers = [stranger, stranger, formerMember, asGuest, asAnn, asBob];
  posts = [await postItem(hub, ann.channel, { body: "the first" })];
  const caches = new Caches();
  caches.of = (owner, make) => (owner === shelves ? make() : hub.caches.of(owner, make));
  forgetful = createApp({ ...hub, caches });
});
afterAll(() => world.close());

/** What happens between looks, each by a number that chooses among its cases. */
const events: ((number: number) => Promise<unknown>)[] = [
  async (n) => posts.push(await postItem(world.hub, ann.channel, { body: `text ${n} #tea`, audience: audienceOf(n) })),
  async (n) =>
    posts.push(await postItem(world.hub, bob.channel, { body: `comment ${n}`, parent: { mid: one(n).mid } })),
  (n) => editItem(world.hub, ann.channel, one(n).id, { body: `edited ${n}` }),
  (n) => react(world.hub, bob.channel, { mid: one(n).mid }, "like", "takes back"),
  (n) => deleteItem(world.hub, ann.channel, { id: one(n).id }),
  (n) => setConfig(world.hub, ann.channel.channel_id, "perm_limits", "view_stream", String(openness(n))),
  (n) => changeSite(world.hub, { blockPublic: n % 2 === 0, name: `Hub ${n % 3}` }),
  (n) => Promise.resolve(world.hub.advance([0.2, 1, 29.5, 59, 3600, 86_400][n % 6]!)),
  () => world.work(),
];

function one(n: number): Item {
  return posts[n % posts.length]!;
}

function audienceOf(n: number) {
  const nobody = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };
  return n % 3 === 0
    ? { ...nobody, allow_cid: [n % 2 === 0 ? ann.channel.channel_hash : bob.channel.channel_hash] }
    : nobody;
}

function openness(n: number): number {
  return n % 2 === 0 ? limits.public : limits.contacts;
}

function paths(n: number): string {
  return ["/channel/ann", "/channel/bob", "/channel/ann?tag=tea", `/display/${one(n).uuid}`, "/channel/nobody"][n % 5]!;
}

/** What one viewer gets, without what is another for each request. */
async function look(pages: Hono, { cookies }: Visitor, path: string): Promise<object> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await pages.request(`http://hub.example${path}`, { headers: { cookie } });
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => name !== "x-request-id" && name !== "set-cookie"),
  );
  return { status: response.status, headers, text: withoutTokens(await response.text()) };
}

const number = fc.nat({ max: 10_000 });
const steps = fc.array(
  fc.record({
    event: fc.option(fc.record({ of: fc.nat({ max: events.length - 1 }), number })),
    looks: fc.array(fc.record({ who: fc.nat({ max: 5 }), number: fc.oneof(fc.constant(0), number) }), { maxLength: 3 }),
  }),
  { minLength: 3, maxLength: 12 },
);

test("a page that is kept is the page that would be made", async () => {
  const property = fc.asyncProperty(steps, async (list) => {
    for (const { event, looks } of list) {
      // Not everything is allowed at every moment, and what is refused changes nothing.
      if (event) await events[event.of]!(event.number).catch(() => undefined);
      for (const { who, number } of looks) {
        const path = paths(number);
        expect(await look(world.app, viewers[who]!, path)).toEqual(await look(forgetful, viewers[who]!, path));
      }
    }
  });
  await fc.assert(property, { numRuns: size(8, 400) });
});

test("strangers get the page that another one had, until something changes", async () => {
  const { hub } = world;
  await changeSite(hub, { blockPublic: false });
  await setConfig(hub, ann.channel.channel_id, "perm_limits", "view_stream", String(limits.public));
  const kept = () => ({ ...shelves(hub) });
  // On PostgreSQL a commit of another database of the server, as other tests make, forgets the pages of this one as well.
  const first = await vi.waitFor(async () => {
    await look(world.app, viewers[0]!, "/channel/ann");
    const before = kept();
    expect(before.kept.size).toBe(1);
    for (const viewer of viewers) await look(world.app, viewer, "/channel/ann");
    expect(kept().kept).toBe(before.kept);
    expect(before.kept.size).toBe(1);
    return before;
  }, 60_000);
  await postItem(hub, ann.channel, { body: "news" });
  await look(world.app, viewers[0]!, "/channel/ann");
  expect(kept().state).not.toBe(first.state);
});
