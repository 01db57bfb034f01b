import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { connect, removeConnection, setGrant, updateConnection } from "../connections/connections.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import { nobody, observerElsewhere, observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { limits } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { commentRefusals } from "./comment.ts";
import type { ThreadTop } from "./comment.ts";
import { may, permissionsOf } from "./may.ts";

/** One row for each rule of native contract 3.4 and 3.7. */

let hub: TestHub;
let owner: Channel;
let friend: Channel;
let asking: Channel;
let stranger: Channel;
let blockPublic = false;
let connection: number;

beforeAll(async () => {
  hub = await openTestHub();
  owner = await makeChannel(hub, "owner");
  friend = await makeChannel(hub, "friend");
  asking = await makeChannel(hub, "asking");
  stranger = await makeChannel(hub, "stranger");
  await connect(hub, friend, { xchan_hash: owner.channel_hash });
  connection = (await connect(hub, owner, { xchan_hash: friend.channel_hash })).abook_id;
  await connect(hub, asking, { xchan_hash: owner.channel_hash });
});
afterAll(() => hub.close());

const eve = { xchan_id: 999, xchan_hash: "https://elsewhere.example/eve", xchan_network: "activitypub" };
const clone = { xchan_id: 998, xchan_hash: "hash-of-a-clone", xchan_network: "zot" };
const observers = (): Record<string, Observer> => ({
  owner: observerOf(owner),
  friend: observerOf(friend),
  asking: observerOf(asking),
  stranger: observerOf(stranger),
  visitor: observerElsewhere(eve),
  nativeVisitor: observerElsewhere(clone),
  anonymous: nobody({ blockPublic }),
});

const setLimit = (name: PermissionName, limit: number): Promise<void> =>
  setConfig(hub, owner.channel_id, "perm_limits", name, String(limit));

async function allowedOnes(permission: PermissionName): Promise<string[]> {
  const names: string[] = [];
  for (const [name, observer] of Object.entries(observers())) {
    if (await may(hub, observer, permission, owner.channel_id)) names.push(name);
  }
  return names;
}

describe("limits say how far a permission reaches", () => {
  const rows: [keyof typeof limits, string[]][] = [
    ["self", ["owner"]],
    ["public", ["owner", "friend", "asking", "stranger", "visitor", "nativeVisitor", "anonymous"]],
    ["network", ["owner", "friend", "asking", "stranger", "nativeVisitor"]],
    ["site", ["owner", "friend", "asking", "stranger"]],
    ["contacts", ["owner", "friend"]],
    ["specific", ["owner", "friend"]],
    ["authenticated", ["owner", "friend", "asking", "stranger", "visitor", "nativeVisitor"]],
    ["anyConnections", ["owner", "friend", "asking"]],
  ];
  test.each(rows)("%s", async (limit, expected) => {
    await setLimit("view_stream", limits[limit]);
    expect(await allowedOnes("view_stream")).toEqual(expected);
  });

  test("a limit that is not set is for the channel alone", async () => {
    await hub.db.deleteFrom("config").where("uid", "=", owner.channel_id).where("k", "=", "chat").execute();
    expect(await allowedOnes("chat")).toEqual(["owner"]);
  });
});

describe("what a connection's flags do", () => {
  test("specific asks for the grant", async () => {
    await setLimit("view_stream", limits.specific);
    await setGrant(hub, owner, connection, "view_stream", false);
    expect(await allowedOnes("view_stream")).toEqual(["owner"]);
    await setGrant(hub, owner, connection, "view_stream", true);
    expect(await allowedOnes("view_stream")).toEqual(["owner", "friend"]);
  });

  test("who is blocked may nothing, whatever the limit", async () => {
    await setLimit("view_stream", limits.public);
    await updateConnection(hub, owner, connection, { blocked: true });
    const all = await permissionsOf(hub, observerOf(friend), owner.channel_id);
    await updateConnection(hub, owner, connection, { blocked: false });
    expect(Object.values(all).filter(Boolean)).toEqual([]);
  });

  test("who is ignored may read and not write", async () => {
    await updateConnection(hub, owner, connection, { ignored: true });
    const { view_stream, post_comments } = await permissionsOf(hub, observerOf(friend), owner.channel_id);
    await updateConnection(hub, owner, connection, { ignored: false });
    expect({ view_stream, post_comments }).toEqual({ view_stream: true, post_comments: false });
  });

  test("a closed site shows nothing to anonymous visitors", async () => {
    await setLimit("view_stream", limits.public);
    blockPublic = true;
    const names = await allowedOnes("view_stream");
    blockPublic = false;
    expect(names).not.toContain("anonymous");
    expect(names).toContain("visitor");
  });

  test("a channel that moved away is read-only for its owner", async () => {
    await hub.db
      .updateTable("channel")
      .set({ channel_moved: "https://new.example" })
      .where("channel_id", "=", owner.channel_id)
      .execute();
    const mine = await permissionsOf(hub, observerOf(owner), owner.channel_id);
    await hub.db.updateTable("channel").set({ channel_moved: "" }).where("channel_id", "=", owner.channel_id).execute();
    const allowed = Object.entries(mine).flatMap(([name, yes]) => (yes ? [name] : []));
    expect(allowed).toEqual([
      "view_stream",
      "view_profile",
      "view_contacts",
      "view_storage",
      "view_pages",
      "view_wiki",
    ]);
  });

  test("nobody may anything with a channel that does not exist", async () => {
    expect(await may(hub, observerOf(owner), "view_stream", 987_654)).toBe(false);
  });
});

describe("who may comment", () => {
  const top = (changes: Partial<ThreadTop> = {}): ThreadTop => ({
    id: 0,
    item_private: 0,
    public_policy: "",
    allow_cid: "",
    allow_gid: "",
    deny_cid: "",
    deny_gid: "",
    uid: owner.channel_id,
    author_id: owner.xchan_id,
    owner_id: owner.xchan_id,
    item_wall: 1,
    item_nocomment: 0,
    comment_policy: "contacts",
    comments_closed: "0001-01-01 00:00:00",
    ...changes,
  });
  const refusalOf = async (author: Channel, one: ThreadTop) =>
    (await commentRefusals(hub, observerOf(author), [one])).get(one);
  const elsewhere = (comment_policy: string): Partial<ThreadTop> => ({
    item_wall: 0,
    owner_id: 999,
    author_id: 999,
    comment_policy,
  });
  const rows: [string, () => Channel, Partial<ThreadTop>, true | string][] = [
    ["a connection with the grant, on the owner's wall", () => friend, {}, true],
    ["a stranger on the owner's wall", () => stranger, {}, "permission_denied"],
    ["the owner", () => owner, {}, true],
    ["anybody when comments are off", () => owner, { item_nocomment: 1 }, "comments_closed"],
    ["anybody when the policy is none", () => friend, { comment_policy: "none" }, "comments_closed"],
    ["after the closing time", () => friend, { comments_closed: "2026-03-01 11:59:59" }, "comments_closed"],
    ["before the closing time", () => friend, { comments_closed: "2026-03-01 12:00:01" }, true],
    ["elsewhere, for everybody identified", () => stranger, elsewhere("authenticated"), true],
    ["elsewhere, in public", () => stranger, elsewhere("public"), true],
    ["elsewhere, in the native network", () => stranger, elsewhere("network: red"), true],
    ["elsewhere, for this site", () => stranger, elsewhere("site: hub.example"), true],
    ["elsewhere, for another site", () => stranger, elsewhere("site: other.example"), "permission_denied"],
    ["elsewhere, for the owner alone", () => stranger, elsewhere("self"), "permission_denied"],
    ["elsewhere, without the owner's grant", () => stranger, elsewhere("contacts"), "permission_denied"],
  ];
  test.each(rows)("%s", async (_, author, changes, expected) => {
    expect(await refusalOf(author(), top(changes))).toBe(expected === true ? undefined : expected);
  });

  test("elsewhere, with the owner's grant", async () => {
    const held = top({ uid: friend.channel_id, item_wall: 0, comment_policy: "contacts" });
    expect(await refusalOf(friend, held)).toBeUndefined();
  });

  test("on a wall open to everybody, except where a thread is for connections", async () => {
    await setLimit("post_comments", limits.authenticated);
    const refused = (comment_policy: string) =>
      Promise.all([owner, friend, asking, stranger].map((one) => refusalOf(one, top({ comment_policy }))));
    expect(await refused("contacts")).toEqual([undefined, undefined, undefined, undefined]);
    expect(await refused("specific")).toEqual([undefined, undefined, "permission_denied", "permission_denied"]);
    await setLimit("post_comments", limits.specific);
  });

  test("several threads are each judged by their own", async () => {
    const tops = [top(), top(elsewhere("self")), top({ item_nocomment: 1 }), top(elsewhere("contacts")), top()];
    const refusals = await commentRefusals(hub, observerOf(friend), tops);
    expect(tops.map((one) => refusals.get(one))).toEqual([
      undefined,
      "permission_denied",
      "comments_closed",
      "permission_denied",
      undefined,
    ]);
  });

  test("not any more once the connection is gone", async () => {
    await removeConnection(hub, owner, connection);
    expect(await refusalOf(friend, top())).toBe("permission_denied");
  });
});
