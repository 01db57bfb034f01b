import { beforeEach, describe, expect, test } from "vitest";
import type { TestHub } from "../../../../test/support/hub.ts";
import {
  accept,
  befriend,
  copyOf,
  deliver,
  holders,
  mark,
  newcomer,
  nobody,
  noticesOf,
  wholeTables,
} from "../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import type { ConnectionChanges } from "../../connections/update.ts";
import { connect } from "../../connections/connections.ts";
import { setGrant } from "../../connections/abconfig.ts";
import { connectionId } from "../../../../test/support/people.ts";
import { setConfig } from "../../identity/channels/channel-config.ts";
import { removeChannel } from "../../connections/remove-channel.ts";
import { createGroup } from "../../groups/groups.ts";
import { addMembers } from "../../groups/members.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { deleteItem } from "../posting/delete.ts";
import { deliverAnswer, deliverItem } from "./deliver.ts";
import { postItem } from "../posting/post.ts";
import type { Audience } from "../types.ts";
import { react } from "../posting/react.ts";
import { reshare } from "../posting/reshares.ts";

let hub: TestHub;
let round: number;
let alice: Channel;
let bob: Channel;
let carol: Channel;

beforeEachThreePeople("strangers", (people) => {
  ({ hub, round, alice, bob, carol } = people);
});

test("an answer reaches those who have the thread, but not channels that have moved away since", async () => {
  await befriend(hub, alice, bob);
  await befriend(hub, alice, carol);
  const top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
  await hub.db
    .updateTable("channel")
    .set({ channel_moved: "https://new.example" })
    .where("channel_id", "=", carol.channel_id)
    .execute();
  const answer = await postItem(hub, bob, { body: "answer", parent: { id: (await copyOf(hub, bob, top))!.id } });
  const later = await postItem(hub, alice, { body: "later", parent: { id: top.id } });
  await deliver(hub);
  for (const item of [answer, later])
    expect(await holders(hub, item, [alice, bob, carol])).toEqual([alice.channel_address, bob.channel_address]);
});

describe("a post reaches", () => {
  const filters: [string, ConnectionChanges, boolean][] = [
    ["a connection", {}, true],
    ["somebody hidden", { hidden: true }, true],
    ["not somebody archived", { archived: true }, false],
    ["not somebody blocked", { blocked: true }, false],
    ["somebody ignored, who may read", { ignored: true }, true],
  ];
  test.each(filters)("%s", async (_, changes, reached) => {
    await befriend(hub, alice, bob);
    await mark(hub, alice, bob, changes);
    const item = await postItem(hub, alice, { body: "x" });
    await deliver(hub);
    expect(await holders(hub, item, [bob])).toHaveLength(reached ? 1 : 0);
  });

  const readers: [string, ConnectionChanges, boolean][] = [
    ["not those who have blocked the author", { blocked: true }, false],
    ["not those who ignore the author", { ignored: true }, false],
    ["those who hide the author", { hidden: true }, true],
    ["those whose filter wants it", { incl: "kitten" }, true],
    ["not those whose filter wants others", { incl: "puppy\nlang=xx" }, false],
    ["not those whose filter refuses it", { excl: "KITTEN" }, false],
    ["not those who refuse before they want", { incl: "kitten", excl: "#pets" }, false],
    ["those who want a tag", { incl: "#pets" }, true],
    ["those who want any tag", { incl: "#*" }, true],
    ["those who want a pattern", { incl: "/k.t+en/" }, true],
    ["those whose pattern is broken, for excluding", { excl: "/k(/" }, true],
  ];
  test.each(readers)("%s", async (_, changes, reached) => {
    await befriend(hub, alice, bob);
    await mark(hub, bob, alice, changes);
    const item = await postItem(hub, alice, { body: "A kitten #pets" });
    await deliver(hub);
    expect(await holders(hub, item, [bob])).toHaveLength(reached ? 1 : 0);
  });

  test("nobody whose request waits, and not those who have not granted send_stream", async () => {
    await connect(hub, bob, { xchan_hash: alice.channel_hash });
    const first = await postItem(hub, alice, { body: "x" });
    await deliver(hub);
    expect(await holders(hub, first, [bob])).toEqual([]);
    await accept(hub, alice, bob);
    await setGrant(hub, bob, await connectionId(hub, bob, alice), "send_stream", false);
    const second = await postItem(hub, alice, { body: "x" });
    await deliver(hub);
    expect(await holders(hub, second, [bob])).toEqual([]);
    await setGrant(hub, bob, await connectionId(hub, bob, alice), "send_stream", true);
    const third = await postItem(hub, alice, { body: "x" });
    await deliver(hub);
    expect(await holders(hub, third, [bob])).toHaveLength(1);
  });

  test("no channel that is gone, and nobody who may not view the stream", async () => {
    await befriend(hub, alice, bob);
    await befriend(hub, alice, carol);
    await setConfig(hub, alice.channel_id, "perm_limits", "view_stream", "128");
    await setGrant(hub, alice, await connectionId(hub, alice, carol), "view_stream", false);
    const item = await postItem(hub, alice, { body: "x" });
    await deliver(hub);
    expect(await holders(hub, item, [bob, carol])).toEqual([bob.channel_address]);
    await removeChannel(hub, bob.channel_id);
    const next = await postItem(hub, alice, { body: "y" });
    await deliver(hub);
    expect(await holders(hub, next, [bob, carol])).toEqual([]);
  });

  test("nobody when another network distributes it", async () => {
    await befriend(hub, alice, bob);
    const item = await postItem(hub, alice, { body: "x", origin: false });
    await deliver(hub);
    expect(await holders(hub, item, [bob])).toEqual([]);
  });

  test("others as a copy of their own", async () => {
    await befriend(hub, alice, bob);
    const item = await postItem(hub, alice, { body: `Hi @bob${round}` });
    hub.advance(30);
    await deliver(hub);
    const copy = (await copyOf(hub, bob, item))!;
    expect(copy).toMatchObject({
      uid: bob.channel_id,
      aid: bob.channel_account_id,
      parent: copy.id,
      thr_parent_id: copy.id,
      item_thread_top: 1,
      item_unseen: 1,
      item_wall: 0,
      item_origin: 0,
      item_mentionsme: 1,
      comment_policy: item.comment_policy,
      created: item.created,
    });
    expect(copy.received > item.received).toBe(true);
  });
});

describe("jobs in any order", () => {
  beforeEach(async () => {
    await befriend(hub, alice, bob);
    await befriend(hub, alice, carol);
  });

  test("comments that were there before the post was delivered arrive with it", async () => {
    const top = await postItem(hub, alice, { body: "top" });
    const first = await postItem(hub, alice, { body: "first", parent: { id: top.id } });
    const second = await postItem(hub, bob, { body: "second", parent: { mid: first.mid } });
    await react(hub, bob, { mid: first.mid }, "like", "stays");
    await deliver(hub);
    expect(await holders(hub, first, [bob, carol])).toHaveLength(2);
    expect(await copyOf(hub, carol, second)).toMatchObject({ thr_parent_id: (await copyOf(hub, carol, first))!.id });
    expect(
      await hub.db
        .selectFrom("item")
        .select("id")
        .where("uid", "=", carol.channel_id)
        .where("item_notshown", "=", 1)
        .execute(),
    ).toHaveLength(1);
  });

  test("an answer that arrives before what it answers finds its place later", async () => {
    const top = await postItem(hub, alice, { body: "top" });
    await deliver(hub);
    const first = await postItem(hub, bob, { body: "first", parent: { mid: top.mid } });
    const second = await postItem(hub, alice, { body: "second", parent: { mid: first.mid } });
    await deliverAnswer(hub, alice.channel_id, second.message_id);
    expect((await copyOf(hub, carol, second))!.thr_parent_id).toBe(0);
    expect(await copyOf(hub, bob, second)).toMatchObject({ thr_parent_id: first.id, answers_me: 1 });
    await deliverAnswer(hub, alice.channel_id, first.message_id);
    expect(await copyOf(hub, carol, second)).toMatchObject({
      thr_parent_id: (await copyOf(hub, carol, first))!.id,
      answers_me: 0,
    });
  });

  test("run again they change nothing", async () => {
    const forum = await newcomer(hub, `forum${round}`, { role: "forum" });
    await befriend(hub, alice, forum);
    const top = await postItem(hub, alice, { body: `top @bob${round} @forum${round}+` });
    const first = await postItem(hub, bob, { body: `first @carol${round}`, parent: { mid: top.mid } });
    const liked = await react(hub, carol, { mid: top.mid }, "like", "stays").catch(() => undefined);
    await deliver(hub);
    const again = await react(hub, carol, { mid: top.mid }, "like", "stays");
    await deliver(hub);
    const before = await wholeTables(hub);
    hub.advance(60);
    await deliverItem(hub, top.id);
    for (const item of [first, again, ...(liked ? [liked] : [])])
      await deliverAnswer(hub, alice.channel_id, item.message_id);
    const forumCopy = (await copyOf(hub, forum, top))!;
    await deliverItem(hub, forumCopy.id);
    expect(await wholeTables(hub)).toEqual(before);
    hub.advance(-60);
  });

  test("a post that was deleted meanwhile reaches nobody, now or later", async () => {
    const top = await postItem(hub, alice, { body: "top" });
    const first = await postItem(hub, alice, { body: "first", parent: { id: top.id } });
    await deleteItem(hub, alice, { id: top.id });
    await deliver(hub);
    await deliverItem(hub, top.id);
    await deliverAnswer(hub, alice.channel_id, first.message_id);
    expect(
      await hub.db.selectFrom("item").select("id").where("uid", "in", [bob.channel_id, carol.channel_id]).execute(),
    ).toEqual([]);
  });

  test("what was deleted is not delivered again", async () => {
    const top = await postItem(hub, alice, { body: "top" });
    const first = await postItem(hub, alice, { body: "first", parent: { id: top.id } });
    await deliver(hub);
    await deleteItem(hub, bob, { mid: top.mid });
    const before = await wholeTables(hub);
    await deliverItem(hub, top.id);
    await deliverAnswer(hub, alice.channel_id, first.message_id);
    expect(await wholeTables(hub)).toEqual(before);
    expect((await copyOf(hub, bob, top))!.item_deleted).toBe(1);
  });

  test("more readers than one batch holds all get it", async () => {
    const template = await hub.db
      .selectFrom("abook")
      .selectAll()
      .where("abook_channel", "=", alice.channel_id)
      .where("abook_xchan", "=", bob.channel_hash)
      .executeTakeFirstOrThrow();
    expect(template.abook_pending).toBe(0);
    const crowd: Channel[] = [];
    for (let number = 0; number < 103; number++)
      crowd.push(await newcomer(hub, `crowd${round}-${number}`, { role: "feed" }));
    for (const one of crowd) await befriend(hub, one, alice);
    const top = await postItem(hub, alice, { body: "top", audience: nobody });
    await deliver(hub);
    const first = await postItem(hub, alice, { body: "first", parent: { id: top.id } });
    await deliver(hub);
    expect(await holders(hub, top, crowd)).toHaveLength(103);
    expect(await holders(hub, first, crowd)).toHaveLength(103);
  });
});

test.each(["blocked", "ignored"] as const)(
  "a share does not reach those who have %s whose words it repeats",
  async (flag) => {
    for (const reader of [bob, carol]) await befriend(hub, alice, reader);
    await befriend(hub, bob, carol);
    const top = await postItem(hub, carol, { body: "Carol's words" });
    await mark(hub, bob, carol, { [flag]: true });
    const dora = await newcomer(hub, `dora${round}`);
    await befriend(hub, alice, dora);
    await deliver(hub);
    const share = await reshare(hub, alice, { mid: top.mid });
    await deliver(hub);
    expect(await holders(hub, share, [bob, dora])).toEqual([dora.channel_address]);
  },
);

describe("forums", () => {
  let forum: Channel;
  let member: Channel;
  beforeEach(async () => {
    forum = await newcomer(hub, `forum${round}`, { role: "forum" });
    member = await newcomer(hub, `member${round}`);
    await befriend(hub, alice, forum);
    await befriend(hub, alice, bob);
    await befriend(hub, member, forum);
  });

  test("take over a public post that mentions them", async () => {
    const item = await postItem(hub, alice, { body: `News @forum${round}+` });
    await deliver(hub);
    expect(await copyOf(hub, forum, item)).toMatchObject({
      owner_id: forum.xchan_id,
      author_id: alice.xchan_id,
      source_id: alice.xchan_id,
      item_uplink: 1,
      item_wall: 1,
      item_origin: 0,
      item_mentionsme: 1,
    });
    expect(await copyOf(hub, member, item)).toMatchObject({ owner_id: forum.xchan_id, source_id: alice.xchan_id });
    expect(await copyOf(hub, bob, item)).toMatchObject({ owner_id: alice.xchan_id, source_id: 0 });
    expect((await noticesOf(hub, forum)).map((notice) => notice.ntype)).toEqual([128]);
    const answer = await postItem(hub, member, { body: "interesting", parent: { mid: item.mid } });
    await deliver(hub);
    expect(await holders(hub, answer, [alice, bob, forum, member])).toHaveLength(4);
  });

  test("leave a private post and a stranger's alone", async () => {
    const item = await postItem(hub, alice, {
      body: `News @forum${round}+`,
      audience: { ...nobody, allow_cid: [bob.channel_hash] },
    });
    const other = await postItem(hub, carol, { body: `News @{forum${round}@hub.example}` });
    await deliver(hub);
    expect(await holders(hub, item, [forum, member])).toEqual([]);
    expect(await holders(hub, other, [forum, member])).toEqual([]);
  });

  describe("whose threads are for their members", () => {
    let club: Channel;
    const forClub = (by: Channel, besides: Partial<Audience> = {}) =>
      postItem(hub, by, { body: "Between us", audience: { ...nobody, allow_cid: [club.channel_hash], ...besides } });
    beforeEach(async () => {
      club = await newcomer(hub, `club${round}`, { role: "forum_private" });
      for (const one of [alice, member]) await befriend(hub, one, club);
      await befriend(hub, bob, alice);
    });

    test("take over what is for them alone: it is their thread to its author, too", async () => {
      const item = await forClub(alice);
      const early = await postItem(hub, alice, { body: "and more", parent: { mid: item.mid } });
      await deliver(hub);
      await deliverItem(hub, item.id);
      for (const one of [alice, club, member])
        expect(await copyOf(hub, one, item)).toMatchObject({ owner_id: club.xchan_id, author_id: alice.xchan_id });
      expect(await holders(hub, item, [bob, carol])).toEqual([]);
      const answer = await postItem(hub, member, { body: "yes", parent: { mid: item.mid } });
      const later = await postItem(hub, alice, { body: "no", parent: { mid: item.mid } });
      await deliver(hub);
      for (const said of [early, answer, later])
        expect(await holders(hub, said, [alice, bob, carol, club, member])).toHaveLength(3);
    });

    test("give it back to its author when they take it out", async () => {
      const item = await forClub(alice);
      await deliver(hub);
      const answer = await postItem(hub, alice, { body: "and more", parent: { mid: item.mid } });
      await deliver(hub);
      await deleteItem(hub, club, { mid: item.mid });
      await deliverItem(hub, item.id);
      for (const said of [item, answer]) {
        expect(await holders(hub, said, [alice, club, member])).toEqual([alice.channel_address]);
        expect(await copyOf(hub, alice, said)).toMatchObject({ owner_id: alice.xchan_id });
      }
    });

    test("leave alone what is for others as well, for a group, for everybody but some, a message, and what a stranger writes", async () => {
      const { id, hash } = await createGroup(hub, alice.channel_id, "Circle");
      await addMembers(hub, alice.channel_id, id, [club.channel_hash]);
      const some = await forClub(alice, { allow_cid: [club.channel_hash, bob.channel_hash] });
      const circle = await forClub(alice, { allow_cid: [], allow_gid: [hash] });
      const but = await forClub(alice, { allow_cid: [], deny_cid: [bob.channel_hash] });
      const message = await postItem(hub, alice, { body: "For your eyes", directTo: [club.channel_hash] });
      const strange = await forClub(carol);
      await deliver(hub);
      for (const item of [some, circle, but, message, strange]) expect(await copyOf(hub, member, item)).toBeUndefined();
      expect(await copyOf(hub, alice, some)).toMatchObject({ owner_id: alice.xchan_id });
    });
  });

  test("take over a stranger's post where everybody known may ask for it", async () => {
    await setConfig(hub, forum.channel_id, "perm_limits", "tag_deliver", "256");
    const item = await postItem(hub, carol, { body: `News @{forum${round}@hub.example}` });
    await deliver(hub);
    expect(await holders(hub, item, [forum, member])).toHaveLength(2);
  });

  test("pass on what stands on their wall", async () => {
    const item = await postItem(hub, alice, { body: "Hello all", wall: forum.channel_id });
    await deliver(hub);
    expect(await copyOf(hub, member, item)).toMatchObject({ owner_id: forum.xchan_id, author_id: alice.xchan_id });
    expect(await holders(hub, item, [alice, bob])).toEqual([alice.channel_address]);
  });

  test("withdraw only what they passed on", async () => {
    const item = await postItem(hub, alice, { body: `News @forum${round}+` });
    await deliver(hub);
    await deleteItem(hub, forum, { mid: item.mid });
    expect(await holders(hub, item, [alice, bob, forum, member])).toEqual([alice.channel_address, bob.channel_address]);
    expect((await copyOf(hub, alice, item))!.body).toContain("News");
    await deliverItem(hub, item.id);
    expect(await holders(hub, item, [forum, member])).toEqual([]);
  });

  test("with a closed audience do not let comments out", async () => {
    const closed = await newcomer(hub, `closed${round}`, { role: "forum_restricted" });
    await befriend(hub, alice, closed);
    await befriend(hub, member, closed);
    const item = await postItem(hub, alice, { body: `News @closed${round}+` });
    await deliver(hub);
    expect(await copyOf(hub, closed, item)).toMatchObject({ item_private: 1, item_uplink: 1 });
    const answer = await postItem(hub, member, { body: "among us", parent: { mid: item.mid } });
    await deliver(hub);
    expect(await holders(hub, answer, [member, closed])).toHaveLength(2);
    expect(await holders(hub, answer, [bob])).toEqual([]);
  });
});
