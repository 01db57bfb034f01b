import { anonymous } from "../../../../test/support/observers.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import {
  befriend,
  copyOf,
  deliver,
  holders,
  mark,
  newcomer,
  noticesOf,
  standingStatuses,
  statusCount,
  streamQuery,
} from "../../../../test/support/people.ts";
import { setConfig } from "../../identity/channels/channel-config.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { assembleStatuses } from "../timelines/statuses.ts";
import { closeComments } from "./close-comments.ts";
import { tagItem, untagItem } from "./community-tags.ts";
import { deleteAsAdministrator, deleteItem } from "./delete.ts";
import { editItem } from "./edit.ts";
import { findVisibleItem } from "../find.ts";
import { fileItem, foldersOf, listFolders, unfileItem } from "./folders.ts";
import { followingOf, followThread } from "./follow.ts";
import { approveHeld, blockItem, dropHeld, keptBack, unblockItem } from "./moderation.ts";
import { postItem } from "./post.ts";
import { react, unreact } from "./react.ts";
import { dropSearch, listSavedSearches, saveSearch } from "../timelines/saved-searches.ts";
import { networkStream } from "../timelines/stream.ts";
import { visibleThread } from "../timelines/thread.ts";
import { homeTimeline } from "../timelines/timelines.ts";
import { expireThreads } from "./trim.ts";
import { updateChannel } from "../../identity/channels/channels.ts";
import type { Item } from "../types.ts";

/** What people do with threads besides writing in them: native contract 4.5. */

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let carol: Channel;
let dora: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  alice = await newcomer(hub, "alice");
  bob = await newcomer(hub, "bob");
  carol = await newcomer(hub, "carol");
  dora = await newcomer(hub, "dora");
  for (const other of [bob, carol]) await befriend(hub, alice, other);
});
afterAll(() => hub.close());

async function post(who: Channel, body: string, more: Partial<Parameters<typeof postItem>[2]> = {}): Promise<Item> {
  hub.advance(60);
  const item = await postItem(hub, who, { body, ...more });
  await deliver(hub);
  return item;
}

async function newNotices(who: Channel, deed: () => Promise<unknown>): Promise<number[]> {
  const before = (await noticesOf(hub, who)).length;
  await deed();
  await deliver(hub);
  return (await noticesOf(hub, who)).slice(before).map((notice) => notice.ntype);
}

const uri = (verb: string) => `http://activitystrea.ms/schema/1.0/${verb}`;

describe("following a thread", () => {
  test("the owner stops the notices, and takes them up again; being mentioned is told always", async () => {
    const top = await post(alice, "quiet");
    const comment = (body: string) => () => postItem(hub, bob, { body, parent: { mid: top.mid } });
    const said = await followThread(hub, alice, { id: top.id }, false);
    expect(said).toMatchObject({ verb: uri("stop-following"), item_hidden: 1, item_notshown: 1, parent: top.id });
    expect(await followingOf(hub, alice, top.id)).toBe("unfollow");
    expect(await newNotices(alice, comment("one"))).toEqual([]);
    expect(await newNotices(alice, () => react(hub, bob, { mid: top.mid }, "like", "stays"))).toEqual([]);
    expect(await newNotices(alice, comment("@alice look"))).toEqual([128]);
    expect((await followThread(hub, alice, { id: top.id }, false)).id).toBe(said.id);
    await followThread(hub, alice, { id: top.id }, true);
    expect(await newNotices(alice, comment("two"))).toEqual([8]);
  });

  test("a reader follows what it took no part in, and leaves what it took part in", async () => {
    const top = await post(alice, "for readers");
    const comment = (body: string) => () => postItem(hub, alice, { body, parent: { mid: top.mid } });
    expect(await newNotices(bob, comment("one"))).toEqual([]);
    await followThread(hub, bob, { mid: top.mid }, true);
    expect(await newNotices(bob, comment("two"))).toEqual([8]);
    await post(carol, "me too", { parent: { mid: top.mid } });
    await followThread(hub, carol, { mid: top.mid }, false);
    expect(await newNotices(carol, comment("three"))).toEqual([]);
  });

  test("nobody else learns of it; streams have it when asked", async () => {
    const top = await post(alice, "watched");
    const said = await followThread(hub, bob, { mid: top.mid }, true);
    expect(await holders(hub, said, [alice, bob, carol])).toEqual([]);
    expect(await copyOf(hub, alice, said)).toBeUndefined();
    const ids = async (who: Channel, includeFollow: boolean, nouveau = false) =>
      (await networkStream(hub, who, streamQuery({ includeFollow, nouveau }))).items.map((item) => item.id);
    expect(await ids(bob, true)).toContain(said.id);
    expect(await ids(bob, true, true)).toContain(said.id);
    expect(await ids(bob, false)).not.toContain(said.id);
    expect(await ids(alice, true)).not.toContain(said.id);
    expect((await visibleThread(hub, observerOf(bob), { mid: top.mid })).map((item) => item.id)).not.toContain(said.id);
  });

  test("through a post with that verb; what is not seen is missing", async () => {
    const top = await post(alice, "by verb");
    expect(await postItem(hub, bob, { body: "", verb: "follow", parent: { mid: top.mid } })).toMatchObject({
      item_hidden: 1,
      verb: uri("follow"),
    });
    const hidden = await post(alice, "not for dora", {
      audience: { allow_cid: [bob.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
    });
    await expect(followThread(hub, dora, { id: hidden.id }, true)).rejects.toMatchObject({ kind: "missing" });
  });
});

describe("emoji", () => {
  test("several for one person, each once; again takes it back", async () => {
    const top = await post(alice, "react");
    const give = (name: string) => postItem(hub, bob, { body: "", verb: name, parent: { mid: top.mid } });
    const heart = await give("react#heart");
    expect(heart).toMatchObject({ verb: "http://purl.org/zot/activity/react#heart", item_notshown: 1 });
    expect(JSON.parse(heart.target)).toMatchObject({ title: "heart", content: "❤️" });
    await give("http://purl.org/zot/activity/react#joy");
    await deliver(hub);
    const kinds = async () => (await assembleStatuses(hub, observerOf(alice), [top])).reactions.get(top.id);
    expect(await kinds()).toEqual({ "react#heart": [bob.xchan_id], "react#joy": [bob.xchan_id] });
    expect((await give("react#heart")).item_deleted).toBe(1);
    await unreact(hub, bob, { mid: top.mid }, "react#joy");
    expect(await kinds()).toBeUndefined();
    await expect(give("react#nosuchemoji")).rejects.toMatchObject({ kind: "invalid" });
    await expect(postItem(hub, bob, { body: "", verb: "react#heart" })).rejects.toMatchObject({ kind: "invalid" });
  });

  test("of people whom the reader has blocked, as their comments, do not count for the reader", async () => {
    const top = await post(alice, "blocked?");
    for (const who of [bob, carol]) {
      await react(hub, who, { mid: top.mid }, "like", "stays");
      await post(who, "word", { parent: { mid: top.mid } });
    }
    const own = (await copyOf(hub, bob, top))!;
    const seen = async () => {
      const page = await assembleStatuses(hub, observerOf(bob), [own]);
      return [page.reactions.get(own.id), page.comments.get(own.id)];
    };
    expect(await seen()).toEqual([{ like: [bob.xchan_id, carol.xchan_id] }, 2]);
    await befriend(hub, bob, carol);
    await mark(hub, bob, carol, { blocked: true });
    expect(await seen()).toEqual([{ like: [bob.xchan_id] }, 1]);
    await mark(hub, bob, carol, { blocked: false });
  });
});

describe("folders", () => {
  test("an item is in folders of the channel, and its thread is kept", async () => {
    const top = await post(alice, "keep me");
    await updateChannel(hub, bob.channel_id, { expireDays: 3 });
    const other = await post(alice, "lose me");
    const saved = await fileItem(hub, bob, { mid: top.mid }, "Recipes");
    await fileItem(hub, bob, { mid: top.mid }, "recipes");
    await fileItem(hub, bob, { mid: top.mid }, "Other");
    expect(saved.uid).toBe(bob.channel_id);
    expect((await copyOf(hub, bob, top))!.item_retained).toBe(1);
    expect(await foldersOf(hub, bob, top)).toEqual(["Other", "Recipes"]);
    expect(await listFolders(hub, bob)).toEqual([
      { name: "Other", items: 1 },
      { name: "Recipes", items: 1 },
    ]);
    expect(await foldersOf(hub, alice, top)).toEqual([]);
    expect(await listFolders(hub, alice)).toEqual([]);
    hub.advance(5 * 86_400);
    await expireThreads(hub);
    expect((await copyOf(hub, bob, top))!.item_deleted).toBe(0);
    expect((await copyOf(hub, bob, other))!.item_deleted).toBe(1);
    await updateChannel(hub, bob.channel_id, { expireDays: 0 });
    await unfileItem(hub, bob, { mid: top.mid }, "RECIPES");
    expect(await foldersOf(hub, bob, top)).toEqual(["Other"]);
    await expect(fileItem(hub, bob, { mid: top.mid }, "  ")).rejects.toMatchObject({ kind: "invalid" });
  });

  test("what is not seen cannot be saved; what is seen elsewhere comes into the stream", async () => {
    const open = await post(alice, "on the wall");
    expect(await copyOf(hub, dora, open)).toBeUndefined();
    await fileItem(hub, dora, { id: open.id }, "Found");
    expect((await copyOf(hub, dora, open))!.item_retained).toBe(1);
    const closed = await post(alice, "closed", {
      audience: { allow_cid: [bob.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
    });
    await expect(fileItem(hub, dora, { id: closed.id }, "Found")).rejects.toMatchObject({ kind: "missing" });
  });
});

describe("saved searches", () => {
  test("are saved once, in their order, for the channel alone", async () => {
    const one = await saveSearch(hub, alice, "tomatoes");
    const two = await saveSearch(hub, alice, "#Garden");
    expect((await saveSearch(hub, alice, "TOMATOES")).id).toBe(one.id);
    expect(await listSavedSearches(hub, alice)).toEqual([one, two]);
    expect(await listSavedSearches(hub, bob)).toEqual([]);
    await expect(dropSearch(hub, bob, one.id)).rejects.toMatchObject({ kind: "missing" });
    expect(await dropSearch(hub, alice, one.id)).toEqual(one);
    expect(await listSavedSearches(hub, alice)).toEqual([two]);
    await expect(saveSearch(hub, alice, " ")).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("community tags", () => {
  const tagsOf = async (item: Item): Promise<string[]> => {
    const rows = await hub.db
      .selectFrom("term")
      .select("term")
      .where("message_id", "=", item.message_id)
      .where("ttype", "=", 10)
      .orderBy("tid")
      .execute();
    return rows.map((row) => row.term);
  };

  test("an item of its own that reaches the readers, and a term of the post", async () => {
    const top = await post(alice, "tag me");
    const notices = newNotices(alice, () => tagItem(hub, bob, { mid: top.mid }, "#Bread"));
    expect(await notices).toEqual([256]);
    expect(await tagsOf(top)).toEqual(["Bread"]);
    const brought = (await networkStream(hub, carol, streamQuery({ tag: "bread" }))).items.find(
      (item) => item.verb === uri("tag"),
    );
    expect(brought).toMatchObject({ item_notshown: 1, obj_type: "http://purl.org/zot/activity/tagterm" });
    expect(JSON.parse(brought!.obj)).toMatchObject({
      title: "Bread",
      id: `${hub.config.baseUrl}/search?tag=Bread`,
    });
    expect(JSON.parse(brought!.target)).toMatchObject({ id: top.mid });
    // The same tag again is there already.
    expect((await tagItem(hub, carol, { mid: top.mid }, "bread")).message_id).toBe(brought!.message_id);
    expect(await tagsOf(top)).toEqual(["Bread"]);
    await expect(untagItem(hub, carol, { mid: top.mid }, "bread")).rejects.toMatchObject({ kind: "denied" });
    await untagItem(hub, bob, { mid: top.mid }, "bread");
    expect(await tagsOf(top)).toEqual([]);
  });

  test("survive an edit, and go when the owner takes them away", async () => {
    const top = await post(alice, "edit me #own");
    await tagItem(hub, bob, { mid: top.mid }, "theirs");
    await editItem(hub, alice, top.id, { body: "edited" });
    expect(await tagsOf(top)).toEqual(["theirs"]);
    await untagItem(hub, alice, { mid: top.mid }, "theirs");
    expect(await tagsOf(top)).toEqual([]);
  });

  test("leave no term where the owner wants none, and nothing on what is not seen or not open for comments", async () => {
    const top = await post(alice, "no tags");
    await setConfig(hub, alice.channel_id, "system", "blocktags", "1");
    const item = await postItem(hub, bob, { body: "#here", verb: "tag", parent: { mid: top.mid } });
    expect(item.verb).toBe(uri("tag"));
    expect(await tagsOf(top)).toEqual([]);
    await setConfig(hub, alice.channel_id, "system", "blocktags", "0");
    const closed = await post(alice, "closed", { nocomment: true });
    await expect(tagItem(hub, bob, { mid: closed.mid }, "x")).rejects.toMatchObject({ code: "comments_closed" });
    await expect(tagItem(hub, bob, { mid: top.mid }, "#")).rejects.toMatchObject({ kind: "invalid" });
    await expect(tagItem(hub, dora, { mid: top.mid }, "x")).rejects.toMatchObject({ kind: "denied" });
  });
});

describe("closing a thread", () => {
  test("by its owner alone, until it is opened again", async () => {
    const top = await post(alice, "short talk");
    const answer = () => postItem(hub, bob, { body: "x", parent: { mid: top.mid } });
    await expect(closeComments(hub, bob, { mid: top.mid }, true)).rejects.toMatchObject({ kind: "denied" });
    expect((await closeComments(hub, alice, { id: top.id }, true)).comments_closed).not.toMatch(/^0001/);
    await expect(answer()).rejects.toMatchObject({ code: "comments_closed" });
    await closeComments(hub, alice, { id: top.id }, false);
    await expect(answer()).resolves.toMatchObject({ body: "x" });
  });

  test("a forum closes what it re-delivers, not the author's own thread", async () => {
    const forum = await newcomer(hub, "forum", { role: "forum" });
    const member = await newcomer(hub, "member");
    await befriend(hub, forum, bob);
    await befriend(hub, forum, member);
    const top = await post(bob, "@forum+ hello");
    const there = (await copyOf(hub, forum, top))!;
    expect(there.item_uplink).toBe(1);
    await closeComments(hub, forum, { id: there.id }, true);
    await expect(postItem(hub, member, { body: "x", parent: { mid: top.mid } })).rejects.toMatchObject({
      code: "comments_closed",
    });
    await expect(postItem(hub, bob, { body: "mine", parent: { id: top.id } })).resolves.toMatchObject({ body: "mine" });
    await closeComments(hub, forum, { id: there.id }, false);
    await expect(postItem(hub, member, { body: "x", parent: { mid: top.mid } })).resolves.toMatchObject({ body: "x" });
  });
});

describe("moderation", () => {
  test("comments of strangers wait, seen by nobody but the owner and who wrote them", async () => {
    await setConfig(hub, alice.channel_id, "perm_limits", "post_comments", "256");
    await setConfig(hub, alice.channel_id, "system", "moderate_comments", "1");
    const top = await post(alice, "open house");
    const counted = await statusCount(hub, dora);
    const notices = await newNotices(alice, () => post(dora, "let me in", { parent: { id: top.id } }));
    expect(notices).toEqual([8]);
    const { items } = await keptBack(hub, alice, "held", { count: 10 });
    const held = items[0]!;
    expect(held).toMatchObject({ body: "let me in", item_blocked: 4, uid: alice.channel_id });
    expect(await statusCount(hub, dora)).toBe(counted);
    for (const who of [alice, bob, carol, undefined]) {
      const observer = who ? observerOf(who) : anonymous;
      expect((await visibleThread(hub, observer, { mid: top.mid })).map((item) => item.body)).toEqual(["open house"]);
      for (const ref of [{ mid: held.mid }, { id: held.id }, { id: (await copyOf(hub, dora, held))!.id }]) {
        await expect(findVisibleItem(hub, observer, ref)).rejects.toMatchObject({ kind: "missing" });
      }
    }
    const { comments } = await assembleStatuses(hub, observerOf(bob), [(await copyOf(hub, bob, top))!]);
    expect([...comments.values()]).toEqual([0]);
    expect(await copyOf(hub, bob, held)).toBeUndefined();
    expect((await homeTimeline(hub, alice, { count: 50, page: 1 })).map((item) => item.body)).not.toContain(
      "let me in",
    );
    expect((await visibleThread(hub, observerOf(dora), { mid: top.mid })).map((item) => item.body)).toContain(
      "let me in",
    );
    // Connections need not wait; tags by those who wait are refused.
    await post(bob, "hello", { parent: { mid: top.mid } });
    expect((await keptBack(hub, alice, "held", { count: 10 })).items).toHaveLength(1);
    await expect(tagItem(hub, dora, { id: top.id }, "x")).rejects.toMatchObject({ kind: "denied" });
    await expect(approveHeld(hub, bob, held.id)).rejects.toMatchObject({ kind: "missing" });

    const told = await newNotices(bob, () => approveHeld(hub, alice, held.id));
    expect(told).toEqual([8]);
    expect(await holders(hub, held, [alice, bob, carol, dora])).toEqual(["alice", "bob", "carol", "dora"]);
    expect(await statusCount(hub, dora)).toBe(counted + 1);
    expect(await noticesOf(hub, alice)).not.toContainEqual(
      expect.objectContaining({ link: expect.stringContaining("/moderate") }),
    );
    await expect(approveHeld(hub, alice, held.id)).rejects.toMatchObject({ kind: "missing" });
  });

  test("what is refused is gone, also when its author takes it back", async () => {
    const top = await post(alice, "no thanks");
    const counted = await statusCount(hub, dora);
    const first = await post(dora, "spam", { parent: { id: top.id } });
    const [held] = (await keptBack(hub, alice, "held", { count: 1 })).items;
    await dropHeld(hub, alice, held!.id);
    expect((await copyOf(hub, dora, first))!.item_deleted).toBe(1);
    const second = await post(dora, "sorry", { parent: { id: top.id } });
    await deleteItem(hub, dora, { id: second.id });
    expect((await keptBack(hub, alice, "held", { count: 5 })).items).toEqual([]);
    expect(await statusCount(hub, dora)).toBe(counted);
    expect(await standingStatuses(hub, dora)).toBe(counted);
    await setConfig(hub, alice.channel_id, "system", "moderate_comments", "2");
    await post(bob, "even friends", { parent: { mid: top.mid } });
    expect((await keptBack(hub, alice, "held", { count: 5 })).items).toHaveLength(1);
    await post(alice, "never oneself", { parent: { id: top.id } });
    const waiting = (await keptBack(hub, alice, "held", { count: 5 })).items;
    expect(waiting).toHaveLength(1);
    await dropHeld(hub, alice, waiting[0]!.id);
    await setConfig(hub, alice.channel_id, "system", "moderate_comments", "0");
  });

  test("the owner hides what is on the wall from everybody, and shows it again", async () => {
    const top = await post(alice, "wall");
    const comment = await post(bob, "rude", { parent: { mid: top.mid } });
    const counted = await statusCount(hub, bob);
    const own = (await copyOf(hub, alice, comment))!;
    await expect(blockItem(hub, carol, { mid: comment.mid })).rejects.toMatchObject({ kind: "denied" });
    await blockItem(hub, alice, { id: own.id });
    expect(await holders(hub, comment, [alice, bob, carol])).toEqual([]);
    expect(await statusCount(hub, bob)).toBe(counted - 1);
    expect(await standingStatuses(hub, bob)).toBe(counted - 1);
    await unblockItem(hub, alice, own.id);
    expect(await holders(hub, comment, [alice, bob, carol])).toEqual(["alice", "bob", "carol"]);
    expect(await statusCount(hub, bob)).toBe(counted);
    await blockItem(hub, alice, { id: top.id });
    expect(await holders(hub, top, [alice, bob, carol])).toEqual([]);
    expect(await holders(hub, comment, [alice, bob, carol])).toEqual([]);
    await expect(findVisibleItem(hub, anonymous, { mid: top.mid })).rejects.toMatchObject({ kind: "missing" });
    await deleteItem(hub, bob, { id: comment.id }).catch(() => undefined);
    await unblockItem(hub, alice, top.id);
    expect(await holders(hub, top, [alice, bob, carol])).toEqual(["alice", "bob", "carol"]);
    expect(await statusCount(hub, alice)).toBe(await standingStatuses(hub, alice));
  });
});

describe("an administrator", () => {
  test("deletes for everybody what was written here, as far as it is seen", async () => {
    const top = await post(alice, "forbidden");
    const closed = await post(alice, "closed", {
      audience: { allow_cid: [bob.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
    });
    await expect(deleteAsAdministrator(hub, dora, { id: closed.id })).rejects.toMatchObject({ kind: "missing" });
    await deleteAsAdministrator(hub, dora, { id: top.id });
    expect(await holders(hub, top, [alice, bob, carol])).toEqual([]);
    expect((await copyOf(hub, alice, top))!.item_deleted).toBe(1);
  });

  test("drops the copies of what was written elsewhere", async () => {
    const top = await post(alice, "from afar", { origin: false });
    await deleteAsAdministrator(hub, dora, { id: top.id });
    const copy = (await copyOf(hub, alice, top))!;
    expect(copy).toMatchObject({ item_deleted: 1, body: "from afar" });
  });
});

describe("an edit that mentions somebody", () => {
  test("tells those who have the item, once", async () => {
    const top = await post(alice, "nobody named");
    expect(await newNotices(bob, () => editItem(hub, alice, top.id, { body: "look @bob" }))).toEqual([128]);
    expect(await copyOf(hub, bob, top)).toMatchObject({ item_mentionsme: 1, item_unseen: 1 });
    expect(await newNotices(bob, () => editItem(hub, alice, top.id, { body: "look again @bob" }))).toEqual([]);
    expect(await newNotices(carol, () => editItem(hub, alice, top.id, { body: "@bob @carol" }))).toEqual([128]);
    const comment = await post(alice, "plain", { parent: { id: top.id } });
    expect(await newNotices(bob, () => editItem(hub, alice, comment.id, { body: "now @bob" }))).toEqual([128]);
  });

  test("does not reach who may not see it, or has blocked its author", async () => {
    const top = await post(alice, "private", {
      audience: { allow_cid: [bob.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
    });
    expect(await newNotices(carol, () => editItem(hub, alice, top.id, { body: "hm @carol" }))).toEqual([]);
    expect(await copyOf(hub, carol, top)).toBeUndefined();
    await mark(hub, bob, alice, { ignored: true });
    expect(await newNotices(bob, () => editItem(hub, alice, top.id, { body: "hm @bob" }))).toEqual([]);
    await mark(hub, bob, alice, { ignored: false });
  });

  test("makes a forum take it over", async () => {
    const forum = await newcomer(hub, "club", { role: "forum" });
    await befriend(hub, forum, bob);
    const top = await post(bob, "hello");
    expect(await copyOf(hub, forum, top)).toBeUndefined();
    await editItem(hub, bob, top.id, { body: "hello @club+" });
    await deliver(hub);
    expect(await copyOf(hub, forum, top)).toMatchObject({ item_uplink: 1 });
  });
});
