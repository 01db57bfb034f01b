import { observerOf } from "../../identity/channels/observer.ts";
import { describe, expect, test } from "vitest";
import type { TestHub } from "../../../../test/support/hub.ts";
import { copyOf, deliver, holders, mark, newcomer, noticesOf, statusCount } from "../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import { postItem } from "./post.ts";
import { react, unreact } from "./react.ts";
import { setStarred, starredAmong } from "./star.ts";
import { assembleStatuses } from "../timelines/statuses.ts";
import type { Item } from "../types.ts";

let hub: TestHub;
let round: number;
let alice: Channel;
let bob: Channel;
let carol: Channel;
let top: Item;

beforeEachThreePeople("all with alice", async (people) => {
  ({ hub, round, alice, bob, carol } = people);
  top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
});

/** Who reacted how, as each of the three has it. */
async function reactions(item: Item = top) {
  const names = new Map([alice, bob, carol].map((one) => [one.xchan_id, one.channel_address.replace(/\d+$/, "")]));
  const seen = await Promise.all(
    [alice, bob, carol].map(async (channel) => {
      const copy = (await copyOf(hub, channel, item))!;
      const page = await assembleStatuses(hub, observerOf(channel), [copy]);
      const kinds = Object.entries(page.reactions.get(copy.id) ?? {}).map(
        ([kind, ids]) => `${kind}: ${ids.map((id) => names.get(id)).join(" ")}`,
      );
      return kinds.toSorted().join(", ");
    }),
  );
  expect(new Set(seen).size).toBe(1);
  return seen[0];
}

const like = (who: Channel, name = "like", item: Item = top) => react(hub, who, { mid: item.mid }, name, "stays");

describe("a reaction", () => {
  test("has the record of native contract 4.5", async () => {
    const item = await like(bob);
    expect(item).toMatchObject({
      uid: bob.channel_id,
      parent_mid: top.mid,
      thr_parent: top.mid,
      verb: "http://activitystrea.ms/schema/1.0/like",
      obj_type: "http://activitystrea.ms/schema/1.0/note",
      item_notshown: 1,
      item_private: 0,
      item_verified: 1,
    });
    expect(item.body).toBe(
      `[zrl=http://hub.example/channel/bob${round}]Bob${round}[/zrl] likes [zrl=http://hub.example/channel/alice${round}]Alice${round}[/zrl]'s [zrl=${top.plink}]post[/zrl]`,
    );
    expect(verifySignature(bob.channel_pubkey, item.body, item.sig)).toBe(true);
    expect(JSON.parse(item.obj)).toMatchObject({ id: top.mid, content: "top", author: { name: `Alice${round}` } });
    await deliver(hub);
    expect(await reactions()).toBe("like: bob");
    expect((await copyOf(hub, carol, top))!.commented).toBe(top.commented);
    expect(await statusCount(hub, bob)).toBe(0);
  });

  test("that stays is there once, also on a comment", async () => {
    const comment = await postItem(hub, bob, { body: "mine", parent: { mid: top.mid } });
    await deliver(hub);
    const first = await like(carol, "like", comment);
    expect(first.thr_parent).toBe(comment.mid);
    expect((await like(carol, "like", comment)).id).toBe(first.id);
    await deliver(hub);
    expect(await reactions(comment)).toBe("like: carol");
    expect(await reactions()).toBe("");
    expect((await noticesOf(hub, bob)).map((notice) => notice.ntype)).toEqual([1024]);
  });

  test("that is taken back is a tombstone everywhere, and leaves no notice", async () => {
    const first = await react(hub, bob, { mid: top.mid }, "like", "takes back");
    await deliver(hub);
    expect(await noticesOf(hub, alice)).toHaveLength(1);
    hub.advance(60);
    const second = await react(hub, bob, { mid: top.mid }, "like", "takes back");
    expect(second).toMatchObject({ id: first.id, item_deleted: 1, body: "", obj: "", sig: "" });
    await deliver(hub);
    expect(await reactions()).toBe("");
    expect(await noticesOf(hub, alice)).toEqual([]);
    expect((await copyOf(hub, carol, top))!.changed > top.changed).toBe(true);
    await react(hub, bob, { mid: top.mid }, "like", "takes back");
    await deliver(hub);
    expect(await reactions()).toBe("like: bob");
    expect(await noticesOf(hub, alice)).toHaveLength(1);
  });

  test.each([
    ["like", "dislike", "dislike: bob, like: bob"],
    ["attendyes", "attendno", "attendno: bob"],
    ["attendno", "attendmaybe", "attendmaybe: bob"],
    ["attendmaybe", "like", "attendmaybe: bob, like: bob"],
    ["agree", "disagree", "disagree: bob"],
    ["abstain", "agree", "agree: bob"],
    ["agree", "attendyes", "agree: bob, attendyes: bob"],
  ])("%s and then %s", async (one, other, left) => {
    await like(bob, one);
    await deliver(hub);
    await like(bob, other);
    await deliver(hub);
    expect(await reactions()).toBe(left);
  });

  test("can be taken back, and what is not there cannot", async () => {
    await like(bob);
    await like(carol);
    await deliver(hub);
    await unreact(hub, bob, { mid: top.mid }, "like");
    await unreact(hub, bob, { mid: top.mid }, "dislike");
    await unreact(hub, bob, { mid: top.mid }, "like");
    expect(await reactions()).toBe("like: carol");
  });

  test("can be taken back by somebody who may not react any more", async () => {
    await like(bob);
    await mark(hub, alice, bob, { blocked: true });
    await expect(like(bob, "dislike")).rejects.toMatchObject({ kind: "denied" });
    await unreact(hub, bob, { mid: top.mid }, "like");
    expect(await reactions()).toBe("");
  });

  test("by the name of no verb, or to a reaction, is refused", async () => {
    await expect(like(bob, "poke")).rejects.toMatchObject({ kind: "invalid" });
    const item = await like(bob);
    await deliver(hub);
    await expect(like(alice, "like", item)).rejects.toMatchObject({ kind: "missing" });
    expect(await reactions()).toBe("like: bob");
  });

  test("by draft is the same, and wants a parent", async () => {
    await postItem(hub, bob, { body: "", verb: "like", parent: { mid: top.mid } });
    await deliver(hub);
    expect(await reactions()).toBe("like: bob");
  });

  test("by two requests at once is there once", async () => {
    await Promise.all([like(bob), like(bob), like(bob)]);
    await deliver(hub);
    expect(await reactions()).toBe("like: bob");
  });
});

describe("a star", () => {
  test("is private, and repeating it is harmless", async () => {
    expect(await setStarred(hub, bob, { mid: top.mid }, true)).toMatchObject({ uid: bob.channel_id, item_starred: 1 });
    await setStarred(hub, bob, { mid: top.mid }, true);
    expect(await starredAmong(hub, bob.channel_id, [top.message_id])).toEqual(new Set([top.message_id]));
    for (const other of [alice, carol])
      expect(await starredAmong(hub, other.channel_id, [top.message_id])).toEqual(new Set());
    await deliver(hub);
    expect(await noticesOf(hub, alice)).toEqual([]);
    expect((await setStarred(hub, bob, { mid: top.mid }, false)).item_starred).toBe(0);
  });

  test("makes a copy of a public post for whom had none, also of a comment", async () => {
    const comment = await postItem(hub, bob, { body: "mine", parent: { mid: top.mid } });
    await deliver(hub);
    const stranger = await newcomer(hub, `stranger${round}`);
    const wall = (await copyOf(hub, alice, comment))!;
    const starred = await setStarred(hub, stranger, { id: wall.id }, true);
    expect(starred).toMatchObject({ uid: stranger.channel_id, item_starred: 1, item_unseen: 0 });
    expect(await holders(hub, top, [stranger])).toHaveLength(1);
    const other = await newcomer(hub, `other${round}`);
    await setStarred(hub, other, { id: wall.id }, false);
    expect(await holders(hub, top, [other])).toEqual([]);
  });

  test("on what is not seen, or is no status, is refused", async () => {
    const secret = await postItem(hub, alice, { body: "x", publicPolicy: "self" });
    const liked = await like(bob);
    await expect(setStarred(hub, bob, { id: secret.id }, true)).rejects.toMatchObject({ kind: "missing" });
    await expect(setStarred(hub, bob, { id: liked.id }, true)).rejects.toMatchObject({ kind: "missing" });
  });
});
