import { expect, test } from "vitest";
import type { TestHub } from "../../../../test/support/hub.ts";
import { befriend, copyOf, deliver, mark, nobody, noticesOf } from "../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import { block } from "../../connections/connections.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { deleteItem } from "../posting/delete.ts";
import { postItem } from "../posting/post.ts";
import { react } from "../posting/react.ts";
import { shareItem } from "../posting/share.ts";

const [wall, comment, mention, reaction] = [4, 8, 128, 1024];

let hub: TestHub;
let round: number;
let alice: Channel;
let bob: Channel;
let carol: Channel;

beforeEachThreePeople("all with alice", (people) => {
  ({ hub, round, alice, bob, carol } = people);
});

async function told(): Promise<Record<string, [number, string][]>> {
  const rows = await Promise.all([alice, bob, carol].map(async (who) => [who, await noticesOf(hub, who)] as const));
  const plain = (name: string) => name.replace(String(round), "");
  return Object.fromEntries(
    rows
      .filter(([, notices]) => notices.length > 0)
      .map(([who, notices]) => [
        plain(who.channel_name),
        notices.map((one) => [one.ntype, plain(one.xname)] as [number, string]),
      ]),
  );
}

test("a post by itself is told to nobody", async () => {
  await postItem(hub, alice, { body: "x" });
  await deliver(hub);
  expect(await told()).toEqual({});
});

test("a mention is told to those who get the post, never to oneself", async () => {
  const item = await postItem(hub, alice, {
    body: `@bob${round} and @alice${round} [share message_id='1']@carol${round}[/share]`,
  });
  await deliver(hub);
  expect(await told()).toEqual({ Bob: [[mention, "Alice"]] });
  const [notice] = await noticesOf(hub, bob);
  expect(notice).toMatchObject({
    item_id: (await copyOf(hub, bob, item))!.id,
    link: `http://hub.example/display/${item.mid.split("/").at(-1)}`,
  });
});

test("whoever is mentioned in public hears of it, connected or not, unless they do not want its author", async () => {
  const top = await postItem(hub, bob, { body: `Does @carol${round}@hub.example know?` });
  await deliver(hub);
  expect(await told()).toEqual({ Carol: [[mention, "Bob"]] });
  expect(await copyOf(hub, carol, top)).toMatchObject({ item_mentionsme: 1, item_unseen: 1 });
  await block(hub, carol, (await findXchan(hub, { hash: bob.channel_hash }))!);
  const again = await postItem(hub, bob, { body: `Once more, @carol${round}@hub.example` });
  await deliver(hub);
  expect(await copyOf(hub, carol, again)).toBeUndefined();
});

test("whoever is mentioned in a comment gets the thread with it, where everybody may read that", async () => {
  const top = await postItem(hub, bob, { body: "A question" });
  await postItem(hub, alice, { body: "A first word", parent: { mid: top.mid } });
  await deliver(hub);
  const answer = await postItem(hub, alice, { body: `@carol${round} knows`, parent: { mid: top.mid } });
  await deliver(hub);
  expect(await told()).toMatchObject({ Carol: [[mention, "Alice"]] });
  expect(await copyOf(hub, carol, top)).toMatchObject({ item_mentionsme: 0 });
  expect(await copyOf(hub, carol, answer)).toMatchObject({ item_mentionsme: 1 });
  const closed = await postItem(hub, bob, {
    body: "Among us",
    audience: { ...nobody, allow_cid: [alice.channel_hash] },
  });
  await deliver(hub);
  const kept = await postItem(hub, alice, { body: `@carol${round} must not know`, parent: { mid: closed.mid } });
  await deliver(hub);
  expect(await Promise.all([closed, kept].map((item) => copyOf(hub, carol, item)))).toEqual([undefined, undefined]);
});

test("a mention of somebody outside of the audience is told to nobody", async () => {
  await postItem(hub, alice, { body: `@carol${round}`, audience: { ...nobody, allow_cid: [bob.channel_hash] } });
  await deliver(hub);
  expect(await told()).toEqual({});
});

test("a comment is told to the owner and to those who took part, once", async () => {
  const top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
  await postItem(hub, bob, { body: "one", parent: { mid: top.mid } });
  await deliver(hub);
  expect(await told()).toEqual({ Alice: [[comment, "Bob"]] });
  await postItem(hub, alice, { body: "two", parent: { mid: top.mid } });
  await deliver(hub);
  expect(await told()).toEqual({ Alice: [[comment, "Bob"]], Bob: [[comment, "Alice"]] });
  await postItem(hub, carol, { body: `three @{bob${round}@hub.example} @alice${round}`, parent: { mid: top.mid } });
  await deliver(hub);
  expect(await told()).toEqual({
    Alice: [
      [comment, "Bob"],
      [mention, "Carol"],
    ],
    Bob: [
      [comment, "Alice"],
      [mention, "Carol"],
    ],
  });
  expect(
    await copyOf(hub, alice, await postItem(hub, carol, { body: `four @alice${round}`, parent: { mid: top.mid } })),
  ).toMatchObject({ item_mentionsme: 1 });
});

test("a reaction is told likewise", async () => {
  const top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
  const one = await postItem(hub, bob, { body: "one", parent: { mid: top.mid } });
  await deliver(hub);
  await react(hub, carol, { mid: one.mid }, "like", "stays");
  await deliver(hub);
  expect(await told()).toEqual({
    Alice: [
      [comment, "Bob"],
      [reaction, "Carol"],
    ],
    Bob: [[reaction, "Carol"]],
  });
  const notice = (await noticesOf(hub, bob))[0]!;
  expect(notice.item_id).toBe(one.id);
});

test("a post on the wall is told to its owner, and a delayed one when its time has come", async () => {
  await postItem(hub, bob, { body: `Hi @carol${round}`, wall: alice.channel_id });
  expect(await told()).toEqual({ Alice: [[wall, "Bob"]] });
  const later = await postItem(hub, bob, { body: "Later", wall: alice.channel_id, created: "2026-03-01 13:00:00" });
  await deliver(hub);
  expect(later.item_delayed).toBe(1);
  hub.advance(3600);
  await deliver(hub);
  hub.advance(-3600);
  expect((await told())["Alice"]).toEqual([
    [wall, "Bob"],
    [wall, "Bob"],
  ]);
});

test("a public share is told to the author of the original, a private one is not", async () => {
  const top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
  const share = await shareItem(hub, bob, { mid: top.mid });
  await deliver(hub);
  expect(await told()).toEqual({ Alice: [[reaction, "Bob"]] });
  await postItem(hub, carol, { body: share.body, publicPolicy: "contacts" });
  await shareItem(hub, alice, { mid: top.mid });
  await deliver(hub);
  expect(await told()).toEqual({ Alice: [[reaction, "Bob"]] });
  await deleteItem(hub, bob, { id: share.id });
  expect(await told()).toEqual({});
});

test("what is deleted is not told any more", async () => {
  const top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
  const one = await postItem(hub, bob, { body: "one", parent: { mid: top.mid } });
  await react(hub, carol, { mid: top.mid }, "like", "stays");
  await deliver(hub);
  await deleteItem(hub, bob, { id: one.id });
  expect(await told()).toEqual({ Alice: [[reaction, "Carol"]], Bob: [[reaction, "Carol"]] });
  await deleteItem(hub, alice, { id: top.id });
  expect(await told()).toEqual({});
});

test.each([{ blocked: true }, { ignored: true }])(
  "somebody who is %j is told of to nobody who marked them so",
  async (changes) => {
    const top = await postItem(hub, alice, { body: "top" });
    await deliver(hub);
    await postItem(hub, carol, { body: "mine", parent: { mid: top.mid } });
    await deliver(hub);
    await befriend(hub, carol, bob);
    await mark(hub, carol, bob, changes);
    await postItem(hub, bob, { body: `one @carol${round}`, parent: { mid: top.mid } });
    await react(hub, bob, { mid: top.mid }, "like", "stays");
    const shared = await postItem(hub, carol, { body: "share me" });
    await deliver(hub);
    await shareItem(hub, bob, { mid: shared.mid }).catch(() => undefined);
    await deliver(hub);
    expect((await told())["Carol"]).toBeUndefined();
    expect((await told())["Alice"]).toHaveLength(3);
  },
);
