import { expect, test } from "vitest";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { accept, befriend, connectionId, copyOf, deliver, noticesOf } from "../../../../test/support/people.ts";
import { connect, mute, updateConnection } from "../../connections/connections.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { lastTold } from "../../live/log.ts";
import { selectItems } from "../queries.ts";
import { bringPosts } from "./bring-posts.ts";
import { postItem } from "./post.ts";

/** What a new connection has posted for everybody stands in one's stream from the start. */

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let carol: Channel;

beforeEachThreePeople("strangers", (people) => {
  ({ hub, alice, bob, carol } = people);
});

test("the newest public posts come with their answers, in their order, seen, once, and nobody is told", async () => {
  const first = await postItem(hub, alice, { body: "first" });
  hub.advance(60);
  const second = await postItem(hub, alice, { body: "second" });
  const kept = await postItem(hub, alice, { body: "for connections", publicPolicy: "contacts" });
  const answer = await postItem(hub, alice, { body: "answer", parent: { id: first.id } });
  await deliver(hub);
  hub.advance(7200);
  await befriend(hub, alice, bob);
  const told = await lastTold(hub);
  await deliver(hub);
  const copies = [await copyOf(hub, bob, first), await copyOf(hub, bob, second), await copyOf(hub, bob, answer)];
  expect(copies).toMatchObject([
    { item_unseen: 0, created: first.created },
    { item_unseen: 0, created: second.created },
    { item_unseen: 0, parent: copies[0]!.id },
  ]);
  expect(copies[0]!.id).toBeLessThan(copies[1]!.id);
  expect(await copyOf(hub, bob, kept)).toBeUndefined();
  expect(await noticesOf(hub, bob)).toEqual([]);
  expect(await lastTold(hub)).toBe(told);
  await bringPosts(hub, { uid: bob.channel_id, person: alice.xchan_id });
  expect(await selectItems(hub).where("item.uid", "=", bob.channel_id).execute()).toHaveLength(3);
});

test("no more than twenty, and what was written since comes as news", async () => {
  for (let n = 0; n < 22; n += 1) await postItem(hub, alice, { body: `number ${n}` });
  hub.advance(60);
  await befriend(hub, alice, bob);
  const since = await postItem(hub, alice, { body: "since" });
  await deliver(hub);
  expect(await copyOf(hub, bob, since)).toMatchObject({ item_unseen: 1 });
  const rows = await selectItems(hub).where("item.uid", "=", bob.channel_id).orderBy("item.id").execute();
  const before = rows.map(({ body }) => body).filter((body) => body !== "since");
  expect(before).toEqual(Array.from({ length: 20 }, (_, n) => `number ${n + 2}`));
});

test("nothing of somebody who is not read, is muted, or is filtered out", async () => {
  const post = await postItem(hub, alice, { body: "a secret of bread" });
  hub.advance(60);
  await connect(hub, carol, { xchan_hash: alice.channel_hash });
  await deliver(hub);
  await bringPosts(hub, { uid: carol.channel_id, person: alice.xchan_id });
  expect(await copyOf(hub, carol, post)).toBeUndefined();
  await updateConnection(hub, carol, await connectionId(hub, carol, alice), { excl: "bread" });
  await accept(hub, alice, carol);
  await deliver(hub);
  expect(await copyOf(hub, carol, post)).toBeUndefined();
  await befriend(hub, alice, bob);
  await mute(hub, bob, { xchan_hash: alice.channel_hash, xchan_network: "zot" });
  await deliver(hub);
  expect(await copyOf(hub, bob, post)).toBeUndefined();
});
