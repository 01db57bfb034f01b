import { describe, expect, test } from "vitest";
import type { TestHub } from "../../../../test/support/hub.ts";
import {
  copyOf,
  deliver,
  everything,
  holders,
  mark,
  newcomer,
  nobody,
  noticesOf,
} from "../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import { removeConnection } from "../../connections/connections.ts";
import { connectionId } from "../../../../test/support/people.ts";
import { addMembers, createGroup, removeMembers } from "../../groups/groups.ts";
import { addXchan } from "../../identity/xchans/add-xchan.ts";
import { setConfig } from "../../identity/channels/channel-config.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import { mayAnswer } from "./open-thread.ts";
import { deleteItem } from "./delete.ts";
import { findVisibleItem } from "../find.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { postItem } from "./post.ts";
import { react } from "./react.ts";
import { setStarred } from "./star.ts";
import { visibleThread } from "../timelines/thread.ts";
import type { Draft } from "../types.ts";

let hub: TestHub;
let round: number;
let alice: Channel;
let bob: Channel;
let carol: Channel;
let stranger: Channel;

beforeEachThreePeople("all with alice", async (people) => {
  ({ hub, round, alice, bob, carol } = people);
  stranger = await newcomer(hub, `stranger${round}`);
});

async function thread(draft: Partial<Draft> = {}) {
  const top = await postItem(hub, alice, { body: "top", ...draft });
  await deliver(hub);
  return top;
}

describe("a comment", () => {
  test("on one's own wall", async () => {
    const top = await thread();
    const item = await postItem(hub, alice, { body: "first", parent: { id: top.id } });
    expect(item).toMatchObject({
      uid: alice.channel_id,
      parent: top.id,
      thr_parent_id: top.id,
      parent_mid: top.mid,
      thr_parent: top.mid,
      item_wall: 1,
      item_origin: 1,
      item_thread_top: 0,
      item_unseen: 0,
      comment_policy: top.comment_policy,
      obj_type: "http://activitystrea.ms/schema/1.0/comment",
    });
    expect(verifySignature(alice.channel_pubkey, item.body, item.sig)).toBe(true);
    expect((await copyOf(hub, alice, top))!.item_retained).toBe(1);
    await deliver(hub);
    expect(await holders(hub, item, [bob, carol])).toEqual([bob.channel_address, carol.channel_address]);
  });

  test("in another's thread is on both copies, and goes on to the audience", async () => {
    const top = await thread();
    const own = (await copyOf(hub, bob, top))!;
    hub.advance(60);
    const item = await postItem(hub, bob, { body: "mine", parent: { id: own.id } });
    expect(item).toMatchObject({
      uid: bob.channel_id,
      parent: own.id,
      owner_id: alice.xchan_id,
      item_wall: 0,
      item_origin: 1,
      item_unseen: 0,
    });
    const wall = (await copyOf(hub, alice, item))!;
    expect(wall).toMatchObject({ parent: top.id, item_wall: 1, item_unseen: 1, answers_me: 1 });
    for (const channel of [alice, bob]) {
      expect(await copyOf(hub, channel, top)).toMatchObject({
        commented: "2026-03-01 12:01:00",
        changed: "2026-03-01 12:01:00",
      });
    }
    expect((await copyOf(hub, carol, top))!.commented).toBe("2026-03-01 12:00:00");
    await deliver(hub);
    expect(await copyOf(hub, carol, item)).toMatchObject({
      item_wall: 0,
      item_origin: 0,
      item_unseen: 1,
      answers_me: 0,
    });
    expect((await copyOf(hub, carol, top))!.commented).toBe("2026-03-01 12:01:00");
    expect((await copyOf(hub, bob, top))!.item_retained).toBe(1);
    expect((await copyOf(hub, carol, top))!.item_retained).toBe(0);
  });

  test("on a comment keeps both parents, and answers its author", async () => {
    const top = await thread();
    const first = await postItem(hub, bob, { body: "first", parent: { mid: top.mid } });
    await deliver(hub);
    const second = await postItem(hub, carol, { body: "second", parent: { mid: first.mid } });
    await deliver(hub);
    expect(second).toMatchObject({ parent_mid: top.mid, thr_parent: first.mid });
    expect(await copyOf(hub, bob, second)).toMatchObject({ answers_me: 1, thr_parent_id: first.id });
    expect(await copyOf(hub, alice, second)).toMatchObject({
      answers_me: 0,
      thr_parent_id: (await copyOf(hub, alice, first))!.id,
    });
  });

  test("inherits the audience whatever it asks for", async () => {
    const top = await thread({
      audience: { ...nobody, allow_cid: [bob.channel_hash] },
      commentsClosed: "2026-04-01 00:00:00",
    });
    const asked = {
      audience: { ...nobody, allow_cid: [carol.channel_hash] },
      publicPolicy: "public",
      commentsClosed: "2027-01-01 00:00:00",
    };
    const item = await postItem(hub, bob, { body: "mine", parent: { mid: top.mid }, ...asked });
    expect(item).toMatchObject({ item_private: 1, allow_cid: "", comments_closed: "2026-04-01 00:00:00" });
    expect(await copyOf(hub, alice, item)).toMatchObject({ item_private: 1, allow_cid: `<${bob.channel_hash}>` });
    const own = await postItem(hub, alice, { body: "mine too", parent: { id: top.id }, ...asked });
    expect(own).toMatchObject({ item_private: 1, allow_cid: `<${bob.channel_hash}>` });
    await deliver(hub);
    expect(await holders(hub, item, [bob, carol])).toEqual([bob.channel_address]);
    expect(await holders(hub, own, [bob, carol])).toEqual([bob.channel_address]);
  });

  test("cannot come from the future, and an old one does not bring its thread up", async () => {
    const top = await thread();
    const early = await postItem(hub, alice, { body: "x", parent: { id: top.id }, created: "2030-01-01 00:00:00" });
    expect(early).toMatchObject({ created: "2026-03-01 12:00:00", item_delayed: 0 });
    hub.advance(5 * 86_400);
    const old = await postItem(hub, alice, { body: "x", parent: { id: top.id }, created: "2026-03-01 13:00:00" });
    expect(old.created).toBe("2026-03-01 13:00:00");
    expect(await copyOf(hub, alice, top)).toMatchObject({
      commented: "2026-03-01 12:00:00",
      changed: "2026-03-06 12:00:00",
    });
  });

  test("expires by itself", async () => {
    const top = await thread();
    const item = await postItem(hub, bob, { body: "x", parent: { mid: top.mid }, expires: "2026-03-02 00:00:00" });
    await deliver(hub);
    hub.advance(86_400);
    await deliver(hub);
    expect(await copyOf(hub, alice, item)).toMatchObject({ item_deleted: 1, body: "" });
    expect((await copyOf(hub, alice, top))!.item_deleted).toBe(0);
  });

  test("under another name stays with the channel", async () => {
    const remote = await addXchan(hub, { hash: `remote-${round}`, name: "Rita", network: "rss" });
    const top = await thread();
    const mine = await postItem(hub, alice, { body: "x", parent: { id: top.id }, remoteXchan: remote.xchan_hash });
    const theirs = await postItem(hub, bob, { body: "x", parent: { mid: top.mid }, remoteXchan: remote.xchan_hash });
    await deliver(hub);
    expect(await holders(hub, mine, [alice, bob, carol])).toEqual([alice.channel_address]);
    expect(await holders(hub, theirs, [alice, bob, carol])).toEqual([bob.channel_address]);
    await expect(findVisibleItem(hub, observerOf(bob), { id: mine.id })).rejects.toMatchObject({ kind: "missing" });
    // Nor does it come along with a later copy of the thread.
    await setConfig(hub, alice.channel_id, "perm_limits", "post_comments", "256");
    await postItem(hub, stranger, { body: "hello", parent: { mid: top.mid } });
    expect(await holders(hub, mine, [stranger])).toEqual([]);
  });
});

describe("who may comment (native contract 3.7)", () => {
  type Case = [string, Partial<Draft>, "alice" | "bob" | "stranger", "yes" | "denied" | "missing", string?];
  test.each<Case>([
    ["a connection on a public thread", {}, "bob", "yes"],
    ["a stranger on a public thread", {}, "stranger", "denied"],
    ["the owner where comments are switched off", { nocomment: true }, "alice", "denied"],
    ["a connection where comments are switched off", { nocomment: true }, "bob", "denied"],
    ["a connection before the end", { commentsClosed: "2026-03-01 12:00:01" }, "bob", "yes"],
    ["a connection at the end", { commentsClosed: "2026-03-01 12:00:00" }, "bob", "denied"],
    ["somebody who is not in the audience", { audience: { ...nobody, allow_cid: ["x"] } }, "bob", "missing"],
    ["the owner of what only it may see", { audience: { ...nobody, allow_cid: ["x"] } }, "alice", "yes"],
    ["a stranger where everybody known may", {}, "stranger", "yes", "256"],
    ["a stranger where the network may", {}, "stranger", "yes", "2"],
    ["a stranger where this site may", {}, "stranger", "yes", "4"],
    ["a stranger where connections may", {}, "stranger", "denied", "8"],
    ["a connection where connections may", {}, "bob", "yes", "8"],
    ["a connection where only the channel may", {}, "bob", "denied", "0"],
    ["the owner where only the channel may", {}, "alice", "yes", "0"],
  ])("%s", async (_, draft, who, answer, limit = "128") => {
    await setConfig(hub, alice.channel_id, "perm_limits", "post_comments", limit);
    const top = await thread(draft);
    const person = { alice, bob, stranger }[who];
    const comment = () => postItem(hub, person, { body: "x", parent: { mid: top.mid } });
    const before = await everything(hub);
    if (answer === "missing") {
      await expect(comment()).rejects.toMatchObject({ kind: "missing" });
    } else {
      expect(await mayAnswer(hub, person, top)).toBe(answer === "yes");
      if (answer === "denied") await expect(comment()).rejects.toMatchObject({ kind: "denied" });
      else await comment();
    }
    if (answer !== "yes") {
      await expect(react(hub, person, { mid: top.mid }, "like", "stays")).rejects.toMatchObject({ kind: answer });
      expect(await everything(hub)).toEqual(before);
    }
  });

  test("nobody on a deleted thread", async () => {
    const top = await thread();
    await deleteItem(hub, alice, { id: top.id });
    for (const who of [alice, bob])
      await expect(postItem(hub, who, { body: "x", parent: { mid: top.mid } })).rejects.toMatchObject({
        kind: "missing",
      });
  });

  test("somebody blocked or ignored not even on a thread that they wrote", async () => {
    const top = await postItem(hub, bob, { body: "on your wall", wall: alice.channel_id });
    await deliver(hub);
    for (const changes of [{ blocked: true }, { blocked: false, ignored: true }]) {
      await mark(hub, alice, bob, changes);
      await expect(postItem(hub, bob, { body: "x", parent: { mid: top.mid } })).rejects.toMatchObject({
        kind: "denied",
      });
    }
    await mark(hub, alice, bob, { ignored: false });
    await postItem(hub, bob, { body: "x", parent: { mid: top.mid } });
  });
});

describe("copies for those who had none", () => {
  test("come with the whole thread, and with what follows", async () => {
    await setConfig(hub, alice.channel_id, "perm_limits", "post_comments", "256");
    const top = await thread();
    const first = await postItem(hub, bob, { body: "first", parent: { mid: top.mid } });
    await react(hub, carol, { mid: first.mid }, "like", "stays");
    await deliver(hub);
    const mine = await postItem(hub, stranger, { body: "hello", parent: { mid: first.mid } });
    expect(mine).toMatchObject({ uid: stranger.channel_id, item_wall: 0, thr_parent: first.mid });
    expect(await copyOf(hub, stranger, top)).toMatchObject({
      item_unseen: 0,
      item_retained: 1,
      owner_id: alice.xchan_id,
    });
    expect(await copyOf(hub, stranger, first)).toMatchObject({
      item_unseen: 0,
      parent: (await copyOf(hub, stranger, top))!.id,
    });
    expect((await visibleThread(hub, observerOf(stranger), { mid: top.mid })).map((item) => item.body)).toEqual([
      "top",
      "first",
      "hello",
    ]);
    await deliver(hub);
    expect(await holders(hub, mine, [alice, bob, carol])).toHaveLength(3);
    const next = await postItem(hub, bob, { body: "next", parent: { mid: top.mid } });
    await deliver(hub);
    expect(await copyOf(hub, stranger, next)).toMatchObject({ item_unseen: 1 });
    expect((await noticesOf(hub, stranger)).map((notice) => notice.ntype)).toEqual([8]);
  });

  test("do not bring the owner's lists along", async () => {
    const top = await thread({ audience: { ...nobody, allow_cid: [bob.channel_hash, stranger.channel_hash] } });
    expect(await copyOf(hub, stranger, top)).toBeUndefined();
    const starred = await setStarred(hub, stranger, { mid: top.mid }, true);
    expect(starred).toMatchObject({
      uid: stranger.channel_id,
      item_starred: 1,
      allow_cid: "",
      item_private: 1,
      item_wall: 0,
    });
  });

  test("come back when the channel had dropped them", async () => {
    const top = await thread();
    const first = await postItem(hub, alice, { body: "first", parent: { id: top.id } });
    await deliver(hub);
    await deleteItem(hub, bob, { mid: top.mid });
    expect(await holders(hub, first, [alice, bob, carol])).toEqual([alice.channel_address, carol.channel_address]);
    const mine = await postItem(hub, bob, { body: "back", parent: { mid: top.mid } });
    expect(mine.uid).toBe(bob.channel_id);
    expect(await holders(hub, first, [bob])).toEqual([bob.channel_address]);
    await deliver(hub);
    expect(await holders(hub, mine, [alice, bob, carol])).toHaveLength(3);
  });
});

describe("who has left the audience", () => {
  test("of a group gets no more of its threads", async () => {
    const group = await createGroup(hub, alice.channel_id, "Some");
    await addMembers(hub, alice.channel_id, group.id, [bob.channel_hash, carol.channel_hash]);
    const top = await thread({ audience: { ...nobody, allow_gid: [group.hash] } });
    expect(await holders(hub, top, [bob, carol])).toHaveLength(2);
    await removeMembers(hub, alice.channel_id, group.id, [carol.channel_hash]);
    const item = await postItem(hub, bob, { body: "inside", parent: { mid: top.mid } });
    await deliver(hub);
    expect(await holders(hub, item, [alice, bob, carol])).toEqual([alice.channel_address, bob.channel_address]);
  });

  test("of the connections stays in a thread only by having taken part", async () => {
    const top = await thread({ publicPolicy: "contacts" });
    await postItem(hub, carol, { body: "mine", parent: { mid: top.mid } });
    await deliver(hub);
    await removeConnection(hub, alice, await connectionId(hub, alice, carol));
    await removeConnection(hub, alice, await connectionId(hub, alice, bob));
    const item = await postItem(hub, alice, { body: "later", parent: { id: top.id } });
    await deliver(hub);
    expect(await holders(hub, item, [bob, carol])).toEqual([carol.channel_address]);
  });
});
