import { anonymous } from "../../../test/support/observers.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { put } from "../../../test/support/files.ts";
import { nobody } from "../../../test/support/people.ts";
import { picture } from "../../../test/support/pictures.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import { saveEvent } from "../../domain/events/events.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { photoThread } from "../../domain/items/media/photo-thread.ts";
import { commentsOfPage } from "../../domain/items/timelines/thread.ts";
import type { Item } from "../../domain/items/types.ts";
import { inTransaction } from "../../hub.ts";

/** A post, an event and a photo about which more is said than one page shows. */

let world: TestApp;
let ann: Channel;
beforeAll(async () => {
  world = await openTestApp();
  ann = (await world.person("ann")).channel;
});
afterAll(() => world?.close());

/** Says the same thing again and again, by rows alone: saying it for real takes long. */
async function comment(parent: number, times: number): Promise<void> {
  const { db } = world.hub;
  const first = await postItem(world.hub, ann, { body: "number 0.", parent: { id: parent } });
  const {
    id: _,
    item_normal: ___,
    ...item
  } = await db.selectFrom("item").selectAll().where("id", "=", first.id).executeTakeFirstOrThrow();
  const said = db.selectFrom("message").selectAll().where("id", "=", first.message_id);
  const { id: __, ...message } = await said.executeTakeFirstOrThrow();
  const all = Array.from({ length: times - 1 }, (_, at) => ({
    ...message,
    html: `number ${at + 1}.`,
    mid: `${message.mid}-${at}`,
    uuid: `${message.uuid.slice(0, 30)}-${at}`,
  }));
  await inTransaction(world.hub, async ({ db }) => {
    for (let at = 0; at < all.length; at += 100) {
      const ids = await db
        .insertInto("message")
        .values(all.slice(at, at + 100))
        .returning("id")
        .execute();
      const items = ids.map(({ id }) => ({ ...item, message_id: id }));
      await db.insertInto("item").values(items).execute();
    }
  });
}

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
  const [top] = await photoThread(world.hub, anonymous, file);
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
  await comment(top.id, commentsOfPage + 2);
  const visitor = visitorOf(world.app);
  const numbers = ({ text }: { text: string }) =>
    [...text.matchAll(/number (\d+)\./g)].map((found) => Number(found[1]));
  const newest = await visitor.get(path);
  expect(numbers(newest)).toEqual(Array.from({ length: commentsOfPage }, (_, at) => at + 2));
  const [, older = ""] = /rel="next" href="([^"]*)"[^>]*>Older comments</.exec(newest.text) ?? [];
  const rest = await visitor.get(older);
  expect(numbers(rest)).toEqual([0, 1]);
  expect(rest.text).not.toContain("Older comments");
});
