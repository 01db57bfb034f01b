import { describe, expect, test } from "vitest";
import type { TestHub } from "../../../../test/support/hub.ts";
import {
  befriend,
  deliver,
  everything,
  holders,
  newcomer,
  nobody,
  standingStatuses,
  statusCount,
} from "../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { createGroup, addMembers } from "../../groups/groups.ts";
import { setConfig } from "../../identity/channels/channel-config.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { updateChannel } from "../../identity/channels/channels.ts";
import { addXchan } from "../../identity/xchans/add-xchan.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import { loadTerms } from "../assemble.ts";
import { findByRemoteId } from "../metadata.ts";
import { postItem } from "./post.ts";
import type { Draft } from "../types.ts";

let hub: TestHub;
let round: number;
let alice: Channel;
let bob: Channel;
let carol: Channel;

beforeEachThreePeople("all with alice", (people) => {
  ({ hub, round, alice, bob, carol } = people);
});

describe("a new post", () => {
  test("has every field that native contract 4.4 gives it", async () => {
    const item = await postItem(hub, alice, { body: "Good morning" });
    expect(item).toMatchObject({
      uid: alice.channel_id,
      aid: alice.channel_account_id,
      parent: item.id,
      thr_parent_id: item.id,
      author_id: alice.xchan_id,
      owner_id: alice.xchan_id,
      source_id: 0,
      created: "2026-03-01 12:00:00",
      edited: "2026-03-01 12:00:00",
      commented: "2026-03-01 12:00:00",
      received: "2026-03-01 12:00:00",
      changed: "2026-03-01 12:00:00",
      expires: zeroDate,
      comments_closed: zeroDate,
      mimetype: "text/bbcode",
      title: "",
      body: "Good morning",
      html: "Good morning",
      plain: "Good morning",
      lang: "",
      revision: 0,
      verb: "http://activitystrea.ms/schema/1.0/post",
      obj_type: "http://activitystrea.ms/schema/1.0/note",
      public_policy: "",
      comment_policy: "contacts",
      allow_cid: "",
      allow_gid: "",
      deny_cid: "",
      deny_gid: "",
      item_private: 0,
      item_origin: 1,
      item_unseen: 0,
      item_starred: 0,
      item_wall: 1,
      item_thread_top: 1,
      item_notshown: 0,
      item_mentionsme: 0,
      item_verified: 1,
      item_normal: 1,
      item_type: 0,
      shared_id: 0,
    });
    expect(item.mid).toBe(`http://hub.example/item/${item.uuid}`.replace("undefined", item.mid.split("/").at(-1)!));
    expect([item.parent_mid, item.thr_parent, item.plink]).toEqual([item.mid, item.mid, item.mid]);
    expect(verifySignature(alice.channel_pubkey, item.body, item.sig)).toBe(true);
  });

  test("keeps what the draft says", async () => {
    const item = await postItem(hub, alice, {
      body: "  *strong* \n",
      mimetype: "text/markdown",
      title: `<b>${"x".repeat(300)}`,
      coord: "52.5, -13.25",
      location: "Berlin <here>",
      expires: "2026-04-01 00:00:00",
      created: "2026-02-01 00:00:00",
      commentsClosed: "2026-05-01 00:00:00",
      app: "Test<er>",
      categories: ["one, two", "two"],
      verb: "create",
      objType: "article",
      mid: `chosen@${round}`,
      consensus: true,
      nocomment: true,
      nsfw: true,
      nopush: true,
      namespace: "elsewhere",
      remoteId: `17-${round}`,
    });
    expect(item).toMatchObject({
      body: "*strong*",
      mimetype: "text/markdown",
      coord: "52.5 -13.25",
      location: "Berlin here",
      expires: "2026-04-01 00:00:00",
      created: "2026-02-01 00:00:00",
      commented: "2026-02-01 00:00:00",
      received: "2026-03-01 12:00:00",
      comments_closed: "2026-05-01 00:00:00",
      app: "Tester",
      verb: "http://activitystrea.ms/schema/1.0/create",
      obj_type: "http://activitystrea.ms/schema/1.0/article",
      mid: `chosen@${round}`,
      plink: `http://hub.example/display/chosen@${round}`,
      item_consensus: 1,
      item_nocomment: 1,
      item_nsfw: 1,
      postopts: "nopush",
    });
    expect(item.title).toHaveLength(255);
    expect(item.html).toContain("<em>strong</em>");
    const terms = (await loadTerms(hub, [item.message_id], 0)).get(item.message_id)!;
    expect(terms.map(({ ttype, term }) => [ttype, term])).toEqual([
      [3, "one"],
      [3, "two"],
    ]);
    expect(await findByRemoteId(hub, alice.channel_id, "elsewhere", `17-${round}`)).toBe(item.id);
  });

  test.each([
    ["an empty body", { body: " \n " }, "invalid", { code: "no_content" }],
    ["an unknown type", { body: "x", mimetype: "text/x-odd" }, "invalid", { field: "mimetype" }],
    ["program code", { body: "x", mimetype: "application/x-php" }, "denied", { code: "forbidden_content_type" }],
    ["a layout type", { body: "x", mimetype: "application/x-pdl" }, "invalid", { field: "mimetype" }],
    ["an unusable mid", { body: "x", mid: "a b" }, "invalid", { field: "message_id" }],
    ["an unknown scope", { body: "x", publicPolicy: "everybody" }, "invalid", { field: "public_policy" }],
    ["an unknown author", { body: "x", remoteXchan: "nobody" }, "invalid", { field: "remote_xchan" }],
    ["a reaction to nothing", { body: "x", verb: "like" }, "invalid", { field: "parent" }],
    ["too long a body", { body: "x".repeat(200_001) }, "too-large", {}],
    ["an unknown parent", { body: "x", parent: { id: 987_654 } }, "missing", {}],
    ["an unknown wall", { body: "x", wall: 987_654 }, "missing", {}],
  ] as [string, Draft, string, object][])(
    "with %s is refused, and nothing is left",
    async (_, draft, kind, details) => {
      const before = await everything(hub);
      await expect(postItem(hub, alice, draft)).rejects.toMatchObject({ kind, ...details });
      expect(await everything(hub)).toEqual(before);
    },
  );

  test("an expiry in the past is none, and a mid of one's own is taken once", async () => {
    const draft = { body: "x", mid: `mine@${round}`, expires: "2026-02-01 00:00:00" };
    expect((await postItem(hub, alice, draft)).expires).toBe(zeroDate);
    await expect(postItem(hub, alice, draft)).rejects.toMatchObject({ kind: "conflict" });
    // Another author may have it: the two messages do not know each other.
    const other = await postItem(hub, bob, { ...draft, body: "y" });
    expect([other.body, other.uid]).toEqual(["y", bob.channel_id]);
    expect(await holders(hub, other, [alice, bob])).toEqual([bob.channel_address]);
  });

  test("by another name stays with the channel", async () => {
    const remote = await addXchan(hub, { hash: `remote-${round}`, name: "Rita", network: "rss" });
    const item = await postItem(hub, alice, { body: "words", remoteXchan: remote.xchan_hash, publicPolicy: "public" });
    expect(item).toMatchObject({
      author_id: remote.xchan_id,
      sig: "",
      item_verified: 0,
      item_private: 1,
      allow_cid: `<${alice.channel_hash}>`,
    });
    await deliver(hub);
    expect(await holders(hub, item, [alice, bob, carol])).toEqual([alice.channel_address]);
    expect(await statusCount(hub, alice)).toBe(0);
  });

  test("is counted when it is public and written here", async () => {
    await postItem(hub, alice, { body: "one" });
    await postItem(hub, alice, { body: "two", audience: { ...nobody, allow_cid: [bob.channel_hash] } });
    await postItem(hub, alice, { body: "three", origin: false });
    expect(await statusCount(hub, alice)).toBe(1);
    expect(await standingStatuses(hub, alice)).toBe(1);
  });
});

describe("pages", () => {
  test("are in no stream, have names of their own, and keep their lists", async () => {
    const page = await postItem(hub, alice, {
      body: "Hello",
      itemType: 3,
      pageTitle: "Über uns/Team",
      audience: { ...nobody, allow_cid: [bob.channel_hash] },
    });
    expect(page).toMatchObject({ item_type: 3, item_normal: 0, public_policy: "", allow_cid: `<${bob.channel_hash}>` });
    expect(await findByRemoteId(hub, alice.channel_id, "WEBPAGE", "uber-uns-team")).toBe(page.id);
    await deliver(hub);
    expect(await holders(hub, page, [alice, bob])).toEqual([]);
    await expect(postItem(hub, alice, { body: "x", itemType: 3, pageTitle: "uber uns team" })).rejects.toMatchObject({
      kind: "conflict",
    });
    await postItem(hub, alice, { body: "x", itemType: 1, pageTitle: "uber uns team" });
    await postItem(hub, bob, { body: "x", itemType: 3, pageTitle: "uber uns team" });
    expect(await statusCount(hub, alice)).toBe(0);
  });

  test("name a layout of the same channel or none", async () => {
    const layout = await postItem(hub, alice, {
      body: "x",
      itemType: 2,
      mimetype: "application/x-pdl",
      pageTitle: "plain",
    });
    const note = await postItem(hub, alice, { body: "x" });
    const with_ = (layoutMid: string) => postItem(hub, alice, { body: "x", itemType: 3, layoutMid });
    expect((await with_(layout.mid)).layout_mid).toBe(layout.mid);
    expect((await with_(note.mid)).layout_mid).toBe("");
    expect((await postItem(hub, bob, { body: "x", itemType: 3, layoutMid: layout.mid })).layout_mid).toBe("");
  });
});

describe("audiences", () => {
  test.each([
    ["nobody named", nobody, { item_private: 0 }, ["bob", "carol"]],
    ["one contact", { ...nobody, allow_cid: ["bob"] }, { item_private: 1 }, ["bob"]],
    ["a group by hash", { ...nobody, allow_gid: ["hash"] }, { item_private: 1 }, ["carol"]],
    ["a group by id", { ...nobody, allow_gid: ["id"] }, { item_private: 1 }, ["carol"]],
    ["a denied contact", { ...nobody, deny_cid: ["bob"] }, { item_private: 1 }, ["carol"]],
    ["a denied group", { ...nobody, deny_gid: ["hash"] }, { item_private: 1 }, ["bob"]],
    ["both, denied wins", { ...nobody, allow_cid: ["bob", "carol"], deny_gid: ["id"] }, { item_private: 1 }, ["bob"]],
    ["a virtual group", { ...nobody, allow_gid: ["vp"] }, { item_private: 1 }, ["bob", "carol"]],
    ["an unknown contact", { ...nobody, allow_cid: ["somewhere"] }, { item_private: 1, allow_cid: "<somewhere>" }, []],
  ])("%s", async (_, audience, fields, readers) => {
    const group = await createGroup(hub, alice.channel_id, "Some");
    await addMembers(hub, alice.channel_id, group.id, [carol.channel_hash]);
    const profile = await hub.db
      .selectFrom("profile")
      .select("profile_guid")
      .where("uid", "=", alice.channel_id)
      .executeTakeFirstOrThrow();
    const names: Record<string, string> = {
      bob: bob.channel_hash,
      carol: carol.channel_hash,
      hash: group.hash,
      id: String(group.id),
      vp: `vp.${profile.profile_guid}`,
    };
    const named = Object.fromEntries(
      Object.entries(audience).map(([key, list]) => [key, list.map((name) => names[name] ?? name)]),
    );
    const item = await postItem(hub, alice, { body: "x", audience: named as typeof nobody, publicPolicy: "public" });
    expect(item).toMatchObject({ public_policy: "", ...fields });
    if (audience.allow_gid[0] === "id") expect(item.allow_gid).toBe(`<${group.hash}>`);
    await deliver(hub);
    expect(await holders(hub, item, [bob, carol])).toEqual(readers.map((name) => `${name}${round}`));
    const copies = await hub.db
      .selectFrom("item")
      .selectAll()
      .where("message_id", "=", item.message_id)
      .where("uid", "<>", alice.channel_id)
      .execute();
    for (const copy of copies)
      expect([copy.allow_cid, copy.allow_gid, copy.deny_cid, copy.deny_gid]).toEqual(["", "", "", ""]);
  });

  test.each(["nothing", "999999", "deleted", "foreign"])("a group that is %s is refused", async (name) => {
    const own = await createGroup(hub, alice.channel_id, "Gone");
    const foreign = await createGroup(hub, bob.channel_id, "Bob's");
    await hub.db.updateTable("pgrp").set({ deleted: 1 }).where("id", "=", own.id).execute();
    const group = { deleted: own.hash, foreign: foreign.hash }[name] ?? name;
    const draft = { body: "x", audience: { ...nobody, allow_gid: [group] } };
    await expect(postItem(hub, alice, draft)).rejects.toMatchObject({ kind: "invalid", field: "group_allow" });
  });

  test("the channel's own default applies when none is asked for", async () => {
    const channel = await updateChannel(hub, alice.channel_id, {
      audience: { allowCid: `<${bob.channel_hash}>`, allowGid: "", denyCid: "", denyGid: "" },
    });
    expect(await postItem(hub, channel, { body: "x" })).toMatchObject({
      allow_cid: `<${bob.channel_hash}>`,
      item_private: 1,
    });
    expect(await postItem(hub, channel, { body: "x", audience: nobody })).toMatchObject({
      allow_cid: "",
      item_private: 0,
    });
  });

  test.each([
    ["1", "contacts", "contacts"],
    ["1", "", ""],
    ["1", "public", ""],
    ["1", "specific", "specific"],
    ["1", "self", "self"],
    ["1", "site: hub.example", "site: hub.example"],
    ["8", "public", "contacts"],
    ["8", "authenticated", "contacts"],
    ["8", "self", "self"],
    ["256", "network: red", "network: red"],
    ["2", "authenticated", "network: red"],
    ["512", "authenticated", "any connections"],
    ["0", "public", "self"],
  ])("a view limit of %s and the wish for %j give %j", async (limit, asked, policy) => {
    await setConfig(hub, alice.channel_id, "perm_limits", "view_stream", limit);
    const item = await postItem(hub, alice, { body: "x", publicPolicy: asked });
    expect(item).toMatchObject({ public_policy: policy, item_private: policy === "" ? 0 : 1 });
    await deliver(hub);
    const readers = policy === "self" ? [] : [bob.channel_address, carol.channel_address];
    expect(await holders(hub, item, [bob, carol])).toEqual(readers);
  });
});

describe("private mentions", () => {
  test("of a person replace the lists of the request", async () => {
    const item = await postItem(hub, alice, {
      body: `@!bob${round} psst`,
      audience: { ...nobody, allow_cid: [carol.channel_hash] },
    });
    expect(item).toMatchObject({ allow_cid: `<${bob.channel_hash}>`, allow_gid: "", item_private: 1 });
    await deliver(hub);
    expect(await holders(hub, item, [bob, carol])).toEqual([bob.channel_address]);
  });

  test("keep the lists where the channel wants that", async () => {
    await setConfig(hub, alice.channel_id, "system", "no_private_mention_acl_override", "1");
    const item = await postItem(hub, alice, {
      body: `@!bob${round} psst`,
      audience: { ...nobody, allow_cid: [carol.channel_hash] },
    });
    expect(item.allow_cid).toBe(`<${carol.channel_hash}><${bob.channel_hash}>`);
  });

  test("of a visible group name its members, of a hidden one nobody", async () => {
    const group = await createGroup(hub, alice.channel_id, "Choir", { visible: true });
    await createGroup(hub, alice.channel_id, "Hidden");
    expect(await postItem(hub, alice, { body: "@!Choir sing" })).toMatchObject({
      allow_gid: `<${group.hash}>`,
      allow_cid: "",
    });
    expect(await postItem(hub, alice, { body: "@!Hidden hush" })).toMatchObject({
      allow_gid: "",
      allow_cid: `<${alice.channel_hash}>`,
    });
  });

  test("that match nobody keep the post with its author", async () => {
    const item = await postItem(hub, alice, { body: "@!nobodyatall psst" });
    expect(item).toMatchObject({ allow_cid: `<${alice.channel_hash}>`, item_private: 1 });
    await deliver(hub);
    expect(await holders(hub, item, [alice, bob, carol])).toEqual([alice.channel_address]);
  });

  test("change nothing for a comment", async () => {
    const top = await postItem(hub, alice, { body: "public" });
    expect(await postItem(hub, alice, { body: `@!bob${round} psst`, parent: top })).toMatchObject({
      item_private: 0,
      allow_cid: "",
    });
  });
});

describe("walls of others", () => {
  test("take a post with the wall's audience, whatever the poster asks for", async () => {
    const channel = await updateChannel(hub, bob.channel_id, {
      audience: { allowCid: "", allowGid: "", denyCid: `<${carol.channel_hash}>`, denyGid: "" },
    });
    await befriend(hub, bob, carol);
    const item = await postItem(hub, alice, {
      body: `Hi @bob${round}`,
      wall: channel.channel_id,
      publicPolicy: "self",
      audience: { ...nobody, allow_cid: [carol.channel_hash] },
    });
    expect(item).toMatchObject({
      uid: bob.channel_id,
      owner_id: bob.xchan_id,
      author_id: alice.xchan_id,
      item_wall: 1,
      item_origin: 1,
      item_unseen: 1,
      item_mentionsme: 1,
      deny_cid: `<${carol.channel_hash}>`,
      allow_cid: "",
      public_policy: "",
      obj_type: "http://activitystrea.ms/schema/1.0/note",
    });
    await deliver(hub);
    expect(await holders(hub, item, [alice, bob, carol])).toEqual([alice.channel_address, bob.channel_address]);
    const own = await hub.db
      .selectFrom("item")
      .select("item_unseen")
      .where("message_id", "=", item.message_id)
      .where("uid", "=", alice.channel_id)
      .executeTakeFirst();
    expect(own?.item_unseen).toBe(0);
  });

  test("are not narrowed by a poster either", async () => {
    const item = await postItem(hub, alice, { body: "Hi", wall: bob.channel_id, publicPolicy: "self" });
    expect(item).toMatchObject({ public_policy: "", item_private: 0 });
  });

  test("need the permission", async () => {
    const stranger = await newcomer(hub, `stranger${round}`);
    await expect(postItem(hub, stranger, { body: "Hi", wall: bob.channel_id })).rejects.toMatchObject({
      kind: "denied",
    });
    await expect(postItem(hub, alice, { body: "Hi", wall: bob.channel_id, itemType: 3 })).rejects.toMatchObject({
      kind: "denied",
    });
  });
});

test("an empty mention means nobody", async () => {
  await addXchan(hub, { hash: `nameless-${round}`, name: "Nameless", network: "rss" });
  const item = await postItem(hub, alice, { body: "@{ } and @{  }" });
  expect((await loadTerms(hub, [item.message_id], 0)).get(item.message_id)).toBeUndefined();
});
