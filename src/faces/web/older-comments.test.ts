import { anonymous } from "../../../test/support/observers.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commentOften } from "../../../test/support/many-comments.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { put } from "../../../test/support/files.ts";
import { nobody } from "../../../test/support/people.ts";
import { picture } from "../../../test/support/pictures.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend, mark } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import { saveEvent } from "../../domain/events/events.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { photoThread } from "../../domain/items/media/photo-thread.ts";
import { commentsOfPage } from "../../domain/items/timelines/thread-window.ts";
import type { Item } from "../../domain/items/types.ts";

/** A post, an event and a photo about which more is said than one page shows. */

let world: TestApp;
let ann: Channel;
beforeAll(async () => {
  world = await openTestApp();
  ann = (await world.person("ann")).channel;
});
afterAll(() => world?.close());

async function ofEvent(): Promise<[path: string, top: Item]> {
  const when = { dtstart: "2026-07-01 18:00:00", dtend: "2026-07-01 20:00:00" };
  const event = await saveEvent(world.hub, ann, { summary: "Party", ...when, share: { audience: nobody } });
  const { id } = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("resource_id", "=", event.event_hash)
    .executeTakeFirstOrThrow();
  return [`/event/${event.event_hash}`, { id } as Item];
}

async function ofPhoto(): Promise<[path: string, top: Item]> {
  const file = await put(world.hub, ann, "lake.jpg", await picture(200, 100).jpeg().toBuffer());
  const {
    items: [top],
  } = await photoThread(world.hub, anonymous, file);
  return [`/photos/ann/image/${file.hash}`, top!];
}

async function ofPost(): Promise<[path: string, top: Item]> {
  const top = await postItem(world.hub, ann, { body: "a post" });
  return [`/display/${top.mid.split("/item/")[1]}`, top];
}

test.each([
  ["a post", ofPost],
  ["an event", ofEvent],
  ["a photo", ofPhoto],
])("%s shows the newest comments and leads to the older ones", async (_, make) => {
  const [path, top] = await make();
  await commentOften(world.hub, ann, top.id, commentsOfPage + 2);
  const visitor = visitorOf(world.app);
  const numbers = ({ text }: { text: string }) => numbersIn(text);
  const newest = await visitor.get(path);
  expect(numbers(newest)).toEqual(Array.from({ length: commentsOfPage }, (_, at) => at + 2));
  const [, older = ""] = /rel="next" href="([^"]*)"[^>]*>Older comments</.exec(newest.text) ?? [];
  const rest = await visitor.get(older);
  expect(numbers(rest)).toEqual([0, 1]);
  expect(rest.text).not.toContain("Older comments");
  const [, newer = ""] = /rel="prev" href="([^"]*)"[^>]*>Newer comments</.exec(rest.text) ?? [];
  expect(numbers(await visitor.get(newer.replaceAll("&amp;", "&")))).toEqual(numbers(newest));
});

test("a comment deep in a thread stands among its neighbours, and the ways lead to either end", async () => {
  const { hub } = world;
  const top = await postItem(hub, ann, { body: "deep" });
  const ids = await commentOften(hub, ann, top.id, 500);
  const { mid } = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("mid")
    .where("item.id", "=", ids[200]!)
    .executeTakeFirstOrThrow();
  const visitor = visitorOf(world.app);
  const path = `/display/${mid.split("/item/")[1]}`;
  const first = await visitor.get(path);
  const half = commentsOfPage / 2;
  expect(numbersIn(first.text)).toEqual(range(200 - half + 1, 200 + half));
  expect(first.text).toMatch(/class="status comment linked"[\s\S]*?number 200\./);
  expect(first.text).toContain(`/display/${top.mid.split("/item/")[1]}#comment`);
  const walk = async (from: string, rel: string): Promise<number[]> => {
    const { text } = await visitor.get(from);
    const [, on] = new RegExp(`rel="${rel}" href="([^"]*)"`).exec(text) ?? [];
    return [...numbersIn(text), ...(on === undefined ? [] : await walk(on.replaceAll("&amp;", "&"), rel))];
  };
  const all = [...(await walk(path, "next")), ...(await walk(path, "prev"))];
  expect([...new Set(all)].toSorted((one, other) => one - other)).toEqual(range(0, 499));
});

test("whom somebody has blocked is not seen, and what is older is found all the same", async () => {
  const { hub } = world;
  const eve = (await world.person("eve")).channel;
  const bob = (await world.person("bob")).channel;
  await befriend(hub, ann, eve);
  await befriend(hub, bob, eve);
  await world.work();
  const top = await postItem(hub, ann, { body: "blocked" });
  await commentOften(hub, ann, top.id, 20);
  await postItem(hub, eve, { body: "from Eve", parent: { mid: top.mid } });
  await world.work();
  await commentOften(hub, ann, top.id, commentsOfPage - 1);
  await mark(hub, bob, eve, { blocked: true });
  const visitor = visitorOf(world.app);
  await visitor.logIn("bob", password);
  const path = `/display/${top.mid.split("/item/")[1]}`;
  const { text } = await visitor.get(path);
  expect([text.includes("from Eve"), text.includes(">Older comments<")]).toEqual([false, true]);
  // Others stand in for what is not seen, and nothing leads to where nothing else is.
  expect(numbersIn(text)).toHaveLength(commentsOfPage);
  const short = await postItem(hub, ann, { body: "short" });
  await postItem(hub, eve, { body: "first of all", parent: { mid: short.mid } });
  await world.work();
  await commentOften(hub, ann, short.id, commentsOfPage);
  const page = (await visitor.get(`/display/${short.mid.split("/item/")[1]}`)).text;
  expect([numbersIn(page).length, page.includes(">Older comments<")]).toEqual([commentsOfPage, false]);
  for (const odd of ["before=0", "after=99999999", "after=-1", "before=x&after=y", "before=1&after=1", "after=1e30"])
    expect((await visitor.get(`${path}?${odd}`)).status).toBe(200);
});

function numbersIn(text: string): number[] {
  return [...text.matchAll(/number (\d+)\./g)].map((found) => Number(found[1]));
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
