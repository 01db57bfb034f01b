import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { forgetActor, loseActor } from "./remove-channel.ts";
import { meetPerson } from "./meet-person.ts";
import { addConnections } from "./restore.ts";
import { directionEntries } from "./directions.ts";
import { leaveFor } from "../identity/channels/moved.ts";
import { setPermissionLimits } from "../identity/channels/permission-limits.ts";
import { observeAs } from "../identity/channels/observe-as.ts";
import { listNotices } from "../notifications/notices.ts";
import { meetActor } from "../peers/meet-actor.ts";
import { may } from "../permissions/may.ts";
import {
  approve,
  block,
  connect,
  findConnectionTo,
  listAbconfig,
  pageOfPeople,
  receiveAccept,
  receiveFollow,
  receiveReject,
  receiveUndo,
  refuse,
  removeConnection,
  unblock,
  unfollow,
  updateConnection,
} from "./connections.ts";
import type { PeopleList } from "./connections.ts";

/** Each row of the table of federation contract 1.5, in its order. */

let world: TestApp;
let alma: Person;
let open: Person;
let carla: Xchan;
let round = 0;

beforeAll(async () => {
  world = await openTestApp();
  open = await world.person("open", { role: "feed" });
});
afterAll(() => world.close());

/** Somebody whom nobody knows yet, and a channel that asks before anybody may connect. */
async function strangers(): Promise<void> {
  round += 1;
  alma = await world.person(`alma${round}`);
  carla = await meetActor(world.hub, actorOf(`carla${round}`));
}

const theirs = (name: string) => `https://far.example/follows/${name}`;
const row = async (who = alma) => findConnectionTo(world.hub, who.channel.channel_id, carla.xchan_hash);
const known = async (who = alma) => (await row(who))!;
const ask = async () => (await connect(world.hub, alma.channel, carla)).follow_out_id;
const follow = (name = "one", who = alma) => receiveFollow(world.hub, who.channel, carla, theirs(name));
const accept = (id?: string) => receiveAccept(world.hub, alma.channel, carla, id);
const reject = (id?: string) => receiveReject(world.hub, alma.channel, carla, id);
const undo = (id?: string) => receiveUndo(world.hub, alma.channel, carla, id);
const kinds = async (who = alma) => (await listNotices(world.hub, who.channel.channel_id)).map(({ kind }) => kind);

async function grants(cat: "my_perms" | "their_perms"): Promise<string[]> {
  const { abook_id: abookId } = await known();
  const rows = await listAbconfig(world.hub, alma.channel.channel_id, { abookId, cat });
  return rows.filter(({ v }) => v === "1").map(({ k }) => k);
}

async function listed(who = alma): Promise<PeopleList[]> {
  const lists: PeopleList[] = ["friends", "followers", "incoming", "outgoing", "blocked"];
  const pages = await Promise.all(
    lists.map((list) => pageOfPeople(world.hub, who.channel.channel_id, list, { count: 20 })),
  );
  return lists.filter((_, at) => pages[at]!.keys.includes(carla.xchan_id));
}

/** Friends and followers as everybody sees them. */
async function counts(who = alma): Promise<[number, number]> {
  const { json } = await who.get("/api/users/show", { screen_name: who.nick });
  return [json.friends_count, json.followers_count];
}

describe("somebody here follows somebody of elsewhere", () => {
  test("who connects asks, and gives what new connections get at once", async () => {
    await strangers();
    const id = await ask();
    expect(id).toMatch(/^http:\/\/hub\.example\/follow\/[0-9a-f-]{36}$/);
    expect(await known()).toMatchObject({ follow_out: "requested", follow_in: "none", abook_pending: 0 });
    expect(await grants("my_perms")).toContain("view_stream");
    expect(await ask()).toBe(id);
    expect([await listed(), await counts()]).toEqual([["outgoing"], [0, 0]]);
  });

  test("who connects with somebody who waits accepts that, and asks as well", async () => {
    await strangers();
    expect(await follow()).toBe("waiting");
    expect(await ask()).toMatch(/follow/);
    expect(await known()).toMatchObject({
      follow_out: "requested",
      follow_in: "accepted",
      follow_in_id: theirs("one"),
      abook_pending: 0,
    });
    expect((await listNotices(world.hub, alma.channel.channel_id)).map(({ seen }) => seen)).toEqual([1]);
    expect(await listed()).toEqual(["followers", "outgoing"]);
  });

  test.each([
    ["by its id", (id: string) => accept(id)],
    ["by who it is between", () => accept()],
  ])("an Accept, %s, makes one direction", async (_, answer) => {
    await strangers();
    const id = await ask();
    world.hub.advance(60);
    expect(await answer(id)).toBe(true);
    expect(await known()).toMatchObject({
      follow_out: "accepted",
      follow_in: "none",
      abook_connected: world.hub.clock().toISOString().slice(0, 19).replace("T", " "),
    });
    expect((await grants("their_perms")).toSorted()).toEqual([
      "post_comments",
      "post_like",
      "post_mail",
      "view_stream",
    ]);
    expect([await kinds(), await listed(), await counts()]).toEqual([["confirmed"], ["friends"], [1, 0]]);
    expect(await answer(id)).toBe(false);
    expect(await kinds()).toEqual(["confirmed"]);
  });

  test("whoever keeps answers from followers does not grant them, until their document says otherwise", async () => {
    await strangers();
    const described = actorOf(`carla${round}`, { letsFollowersAnswer: false });
    await meetActor(world.hub, described);
    await accept(await ask());
    expect((await grants("their_perms")).toSorted()).toEqual(["post_like", "post_mail", "view_stream"]);
    await meetActor(world.hub, { ...described, letsFollowersAnswer: true });
    expect(await grants("their_perms")).toContain("post_comments");
    await meetActor(world.hub, described);
    expect(await grants("their_perms")).not.toContain("post_comments");
    await follow();
    await reject();
    await meetActor(world.hub, { ...described, letsFollowersAnswer: true });
    expect(await grants("their_perms")).toEqual([]);
  });

  test("an Accept of what was never asked, was taken back or is another follow does nothing", async () => {
    await strangers();
    expect(await accept()).toBe(false);
    expect(await row()).toBeUndefined();
    const first = await ask();
    await unfollow(world.hub, alma.channel, carla.xchan_hash);
    expect(await accept(first)).toBe(false);
    const second = await ask();
    expect(second).not.toBe(first);
    expect(await accept(first)).toBe(false);
    expect(await known()).toMatchObject({ follow_out: "requested", follow_out_id: second });
  });

  test("a Reject ends the question, and is told", async () => {
    await strangers();
    const id = await ask();
    expect(await reject(theirs("another"))).toBe(false);
    expect(await reject(id)).toBe(true);
    expect(await known()).toMatchObject({ follow_out: "rejected" });
    expect([await kinds(), await listed()]).toEqual([["declined"], []]);
    const { text } = await alma.get("/api/svc/notifications");
    expect(text).toContain("has declined the connection with you");
    expect(await ask()).not.toBe(id);
  });

  test("a Reject after the Accept removes what they gave, and the connection where they do not follow either", async () => {
    await strangers();
    await accept(await ask());
    expect(await reject()).toBe(true);
    expect(await row()).toBeUndefined();
    await strangers();
    await accept(await ask());
    await follow();
    expect(await reject()).toBe(true);
    expect(await known()).toMatchObject({ follow_out: "rejected" });
    expect([await grants("their_perms"), await counts(), await kinds()]).toEqual([
      [],
      [0, 1],
      ["follower", "confirmed"],
    ]);
  });
});

describe("somebody of elsewhere follows somebody here", () => {
  test("who approves everybody has a follower, and follows nobody", async () => {
    await strangers();
    expect(await follow("one", open)).toBe("accepted");
    expect(await known(open)).toMatchObject({
      follow_in: "accepted",
      follow_in_id: theirs("one"),
      follow_out: "none",
      abook_pending: 0,
    });
    expect([await kinds(open), await listed(open)]).toEqual([["follower"], ["followers"]]);
    expect((await counts(open))[0]).toBe(0);
    const collection = await world.anonymous.get("/followers/open", { page: "first" });
    expect(collection.json.orderedItems).toContain(carla.xchan_hash);
  });

  test("who wants to be asked has a question", async () => {
    await strangers();
    expect([await follow(), await follow("two")]).toEqual(["waiting", "waiting"]);
    expect(await known()).toMatchObject({ follow_in: "pending", follow_in_id: theirs("two"), abook_pending: 1 });
    expect([await kinds(), await listed(), await counts()]).toEqual([["request"], ["incoming"], [0, 0]]);
    const { json } = await alma.get("/api/friendships/incoming");
    expect(json).toEqual([carla.xchan_id]);
  });

  test("whom the channel has asked, or follows, needs no answer", async () => {
    await strangers();
    await ask();
    expect(await follow()).toBe("accepted");
    expect(await known()).toMatchObject({ follow_out: "requested", follow_in: "accepted" });
    expect(await kinds()).toEqual(["follower"]);
    await strangers();
    await accept(await ask());
    expect(await follow()).toBe("accepted");
    expect([await listed(), await counts()]).toEqual([
      ["friends", "followers"],
      [1, 1],
    ]);
  });

  test.each(["blocked", "ignored"] as const)("who is %s meets silence", async (state) => {
    await strangers();
    const { abook_id: id } = await connect(world.hub, alma.channel, carla);
    await updateConnection(world.hub, alma.channel, id, { [state]: true });
    expect(await follow()).toBe("silent");
    expect(await known()).toMatchObject({ follow_in: "none", follow_in_id: "" });
    expect(await kinds()).toEqual([]);
  });

  test("a stranger who is blocked, and a channel that has left, are silent too", async () => {
    await strangers();
    await block(world.hub, alma.channel, carla);
    expect(await follow()).toBe("silent");
    await strangers();
    await leaveFor(world.hub, alma.channel, { url: "https://new.example", nick: "alma" });
    expect(await follow("one", { ...alma, channel: { ...alma.channel, channel_moved: "https://new.example" } })).toBe(
      "silent",
    );
    expect(await row()).toBeUndefined();
  });

  test("the owner approves", async () => {
    await strangers();
    await follow();
    await approve(world.hub, alma.channel, (await known()).abook_id);
    expect(await known()).toMatchObject({ follow_in: "accepted", follow_in_id: theirs("one"), follow_out: "none" });
    expect(await grants("my_perms")).toContain("view_stream");
    expect([await listed(), await counts()]).toEqual([["followers"], [0, 1]]);
  });

  test("the owner refuses, and what the channel asked for stays", async () => {
    await strangers();
    await follow();
    await refuse(world.hub, alma.channel, (await known()).abook_id);
    expect(await row()).toBeUndefined();
    await ask();
    // A request that was there before, as an import may bring it.
    await world.hub.db
      .updateTable("abook")
      .set({ abook_pending: 1, follow_in: "pending" })
      .where("abook_xchan", "=", carla.xchan_hash)
      .execute();
    await refuse(world.hub, alma.channel, (await known()).abook_id);
    expect(await known()).toMatchObject({ follow_out: "requested", follow_in: "none", abook_pending: 0 });
  });

  test.each([
    ["by its id", () => undo(theirs("one"))],
    ["by who it is between", () => undo()],
  ])("they take it back, %s: a mere follower is gone, a friend stays", async (_, takeBack) => {
    await strangers();
    await follow();
    expect(await undo(theirs("another"))).toBe(false);
    expect(await takeBack()).toBe(true);
    expect(await row()).toBeUndefined();
    expect(await takeBack()).toBe(false);
    await accept(await ask());
    await follow();
    expect(await takeBack()).toBe(true);
    expect(await known()).toMatchObject({ follow_out: "accepted", follow_in: "none", follow_in_id: "" });
    expect(await counts()).toEqual([1, 0]);
  });

  test("they take back what waits, and nothing waits any more", async () => {
    await strangers();
    await follow();
    await undo();
    expect((await listNotices(world.hub, alma.channel.channel_id)).map(({ seen }) => seen)).toEqual([1]);
    await follow();
    const { abook_id: id } = await known();
    await updateConnection(world.hub, alma.channel, id, { ignored: true });
    await undo();
    expect(await known()).toMatchObject({ abook_ignored: 1, follow_in: "none", abook_pending: 0 });
  });

  test("they ask again while they are followers: the new id counts, and nobody is told", async () => {
    await strangers();
    await follow("one", open);
    const before = (await kinds(open)).length;
    expect(await follow("two", open)).toBe("accepted");
    expect(await known(open)).toMatchObject({ follow_in: "accepted", follow_in_id: theirs("two") });
    expect((await kinds(open)).length).toBe(before);
  });
});

describe("somebody here ends it", () => {
  test("unfollowing leaves the follower, and nothing of one who is none", async () => {
    await strangers();
    await accept(await ask());
    await follow();
    await unfollow(world.hub, alma.channel, carla.xchan_hash);
    expect(await known()).toMatchObject({ follow_out: "none", follow_out_id: "", follow_in: "accepted" });
    expect([await listed(), await counts()]).toEqual([["followers"], [0, 1]]);
    await undo();
    await accept(await ask());
    await unfollow(world.hub, alma.channel, carla.xchan_hash);
    expect(await row()).toBeUndefined();
  });

  test("removing leaves nothing", async () => {
    await strangers();
    await accept(await ask());
    await follow();
    await removeConnection(world.hub, alma.channel, (await known()).abook_id);
    expect([await row(), await counts()]).toEqual([undefined, [0, 0]]);
  });

  const ways: [string, () => Promise<unknown>][] = [
    ["blocking", () => block(world.hub, alma.channel, carla)],
    [
      "blocking on the connection's page",
      async () => updateConnection(world.hub, alma.channel, (await known()).abook_id, { blocked: true }),
    ],
  ];

  test.each(ways)("%s ends their side, and keeps one's own for later", async (_, blockThem) => {
    await strangers();
    await accept(await ask());
    await follow();
    await blockThem();
    expect(await known()).toMatchObject({
      abook_blocked: 1,
      follow_in: "none",
      follow_in_id: "",
      follow_out: "accepted",
    });
    expect([await listed(), await counts()]).toEqual([["blocked"], [0, 0]]);
    expect([await accept(), await reject(), await undo()]).toEqual([false, false, false]);
    await unblock(world.hub, alma.channel, carla.xchan_hash);
    expect(await known()).toMatchObject({ abook_blocked: 0, follow_out: "accepted", follow_in: "none" });
    expect(await listed()).toEqual(["friends"]);
  });

  test.each(ways)("%s a mere follower, or one who waits, leaves a stranger", async (_, blockThem) => {
    await strangers();
    await follow();
    await blockThem();
    expect(await known()).toMatchObject({
      abook_blocked: 1,
      abook_unconnected: 1,
      abook_pending: 0,
      follow_in: "none",
    });
    expect((await listNotices(world.hub, alma.channel.channel_id)).map(({ seen }) => seen)).toEqual([1]);
    await unblock(world.hub, alma.channel, carla.xchan_hash);
    expect(await row()).toBeUndefined();
    expect(await follow()).toBe("waiting");
  });
});

describe("somebody of elsewhere is gone", () => {
  test("what connected people with them is put away, and they can be met again", async () => {
    await strangers();
    await accept(await ask());
    await follow();
    expect(await loseActor(world.hub, carla.xchan_hash)).toBe(true);
    expect(await known()).toMatchObject({ abook_archived: 1, xchan_deleted: 1 });
    expect([await listed(), await counts()]).toEqual([[], [0, 0]]);
    await expect(connect(world.hub, open.channel, carla)).rejects.toMatchObject({ code: "identity_deleted" });
    const { gone } = await world.hub.db
      .selectFrom("actor")
      .select("gone")
      .where("actor_id", "=", carla.xchan_hash)
      .executeTakeFirstOrThrow();
    expect(gone).toBe(world.hub.clock().toISOString().slice(0, 19).replace("T", " "));
    await again();
    expect((await known()).xchan_deleted).toBe(0);
    expect((await connect(world.hub, open.channel, carla)).follow_out).toBe("requested");
  });

  const again = () => meetPerson(world.hub, actorOf(`carla${round}`));

  test("and is found again: what was put away is out again, unless its owner has a word in it", async () => {
    await strangers();
    await accept(await ask());
    await follow();
    await loseActor(world.hub, carla.xchan_hash);
    await again();
    expect(await known()).toMatchObject({ abook_archived: 0, follow_out: "accepted", follow_in: "accepted" });
    expect([await listed(), await counts()]).toEqual([
      ["friends", "followers"],
      [1, 1],
    ]);
    await updateConnection(world.hub, alma.channel, (await known()).abook_id, { archived: true });
    world.hub.advance(1);
    await loseActor(world.hub, carla.xchan_hash);
    await again();
    expect(await known()).toMatchObject({ abook_archived: 1 });
  });

  test("by their own word: nobody follows anybody any more, and who comes to their address has to ask", async () => {
    await strangers();
    await accept(await ask());
    await follow();
    await forgetActor(world.hub, carla);
    const ended = { abook_archived: 1, follow_out: "none", follow_out_id: "", follow_in: "none", follow_in_id: "" };
    expect(await known()).toMatchObject(ended);
    await again();
    expect(await known()).toMatchObject(ended);
    expect(await follow("anew")).toBe("waiting");
    expect(await known()).toMatchObject({ abook_archived: 0, abook_pending: 1, follow_in: "pending" });
    await forgetActor(world.hub, carla);
    expect(await known()).toMatchObject({ ...ended, abook_pending: 0 });
    const notices = await listNotices(world.hub, alma.channel.channel_id);
    expect(notices.flatMap(({ kind, seen }) => (kind === "request" ? [seen] : []))).toEqual([1]);
    await again();
    expect(await ask()).not.toBe("");
    expect(await known()).toMatchObject({ abook_archived: 0, follow_out: "requested" });
  });

  test("nothing happens for somebody who is not known, or lives here", async () => {
    expect(await loseActor(world.hub, "https://far.example/nobody")).toBe(false);
    expect(await loseActor(world.hub, open.channel.channel_hash)).toBe(false);
  });
});

describe("one direction is a connection", () => {
  test("for permissions: whom the channel follows counts, and who waits does not", async () => {
    await strangers();
    await setPermissionLimits(world.hub, alma.channel.channel_id, { view_stream: 8 });
    const allowed = async () =>
      may(world.hub, await observeAs(world.hub, carla), "view_stream", alma.channel.channel_id);
    expect(await allowed()).toBe(false);
    await follow();
    expect(await allowed()).toBe(false);
    await undo();
    await ask();
    expect(await allowed()).toBe(true);
  });

  test("for exports, which carry directions and ids", async () => {
    await strangers();
    await accept(await ask());
    await follow();
    const { follow_out_id, follow_in_id, ...connection } = await known();
    const entries = directionEntries({ ...connection, follow_out_id, follow_in_id }, []);
    const { channel } = await world.person(`moved${round}`);
    const restored = {
      abook_xchan: carla.xchan_hash,
      abook_created: "2026-01-01 00:00:00",
      abook_updated: "2026-01-01 00:00:00",
    };
    await addConnections(world.hub, channel, [{ row: restored, abconfig: entries }]);
    expect(await findConnectionTo(world.hub, channel.channel_id, carla.xchan_hash)).toMatchObject({
      follow_out: "accepted",
      follow_in: "accepted",
      follow_out_id,
      follow_in_id: theirs("one"),
    });
  });

  test("but a mere name cannot be connected with", async () => {
    const name = { xchan_hash: "https://far.example/name", xchan_network: "activitypub" };
    await world.hub.db
      .insertInto("xchan")
      .values({ ...name, xchan_created: "2026-01-01 00:00:00" })
      .execute();
    await expect(connect(world.hub, open.channel, name)).rejects.toMatchObject({ code: "network_cannot" });
  });
});
