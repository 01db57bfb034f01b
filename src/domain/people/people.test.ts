import { anonymous } from "../../../test/support/observers.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend, connectionId, deliver, mark, newcomer } from "../../../test/support/people.ts";
import { connect } from "../connections/connections.ts";
import { addXchan } from "../identity/xchans/add-xchan.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import { removeChannel } from "../connections/remove-channel.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { postItem } from "../items/posting/post.ts";
import { setStarred } from "../items/posting/star.ts";
import { findByNick, findByProfile } from "./find-person.ts";
import { loadUsers } from "./users.ts";

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let carol: Channel;
let dora: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  alice = await newcomer(hub, "alice");
  bob = await newcomer(hub, "bob");
  carol = await newcomer(hub, "carol", { role: "social_private" });
  dora = await newcomer(hub, "dora");
  await befriend(hub, alice, bob);
  await connect(hub, alice, { xchan_hash: dora.channel_hash });
});
afterAll(() => hub.close());

async function user(caller: Channel | undefined, of: Channel) {
  return (await loadUsers(hub, caller ? observerOf(caller) : anonymous, [of.xchan_id])).get(of.xchan_id)!;
}

describe("people as the caller knows them", () => {
  test("oneself, with the number of stars", async () => {
    const item = await postItem(hub, bob, { body: "x" });
    await deliver(hub);
    await setStarred(hub, alice, { mid: item.mid }, true);
    expect(await user(alice, alice)).toMatchObject({
      self: true,
      cid: 0,
      local: true,
      favourites: 1,
      friends: 1,
      followers: 1,
      following: false,
    });
    expect(await user(bob, alice)).toMatchObject({ self: false, favourites: 0 });
  });

  test("connections, requests and strangers", async () => {
    expect(await user(alice, bob)).toMatchObject({
      cid: await connectionId(hub, alice, bob),
      following: true,
      requested: false,
      blocking: false,
    });
    expect(await user(alice, dora)).toMatchObject({ following: false, requested: true });
    expect(await user(dora, alice)).toMatchObject({ following: false, requested: false });
    expect(await user(bob, dora)).toMatchObject({
      cid: 0,
      following: false,
      requested: false,
      blocking: false,
      self: false,
    });
    await mark(hub, alice, bob, { blocked: true });
    expect(await user(alice, bob)).toMatchObject({ blocking: true, following: false });
    await mark(hub, alice, bob, { blocked: false });
  });

  test("counts only to those who may see the contacts", async () => {
    await befriend(hub, carol, bob);
    expect(await user(bob, carol)).toMatchObject({ friends: 1, followers: 1 });
    expect(await user(alice, carol)).toMatchObject({ friends: 0, followers: 0 });
    expect(await user(undefined, carol)).toMatchObject({ friends: 0, self: false });
    expect(await user(undefined, bob)).toMatchObject({ friends: 2, local: true });
  });

  test("without keys, of other networks too, and nobody for an unknown id", async () => {
    const remote = await addXchan(hub, { hash: "far", name: "Far", network: "rss", url: "https://far.example/feed" });
    const users = await loadUsers(hub, observerOf(alice), [remote.xchan_id, 987_654]);
    expect([...users.keys()]).toEqual([remote.xchan_id]);
    expect(users.get(remote.xchan_id)).toMatchObject({ local: false, friends: 0, cid: 0 });
    expect(Object.keys(users.get(remote.xchan_id)!)).not.toContain("xchan_pubkey");
    expect((await loadUsers(hub, observerOf(alice), [])).size).toBe(0);
  });
});

describe("finding people", () => {
  test.each([
    "http://hub.example/channel/bob",
    "https://hub.example/channel/bob/",
    "hub.example/channel/bob",
    "www.hub.example/channel/bob",
    "bob@hub.example",
    "acct:BOB@hub.example",
    "@bob@hub.example",
    "http://HUB.example/channel/bob",
  ])("by %s", async (profile) => {
    expect((await findByProfile(hub, profile))?.xchan_id).toBe(bob.xchan_id);
  });

  test("by what means nobody", async () => {
    for (const profile of ["", "/", "https://", "bob@elsewhere.example", "https://hub.example/channel/bobby"])
      expect(await findByProfile(hub, profile)).toBeUndefined();
    for (const nick of ["", "bo", "bobb", "bob@elsewhere.example", "%"])
      expect(await findByNick(hub, observerOf(alice), nick)).toBeUndefined();
  });

  test("by nickname: here first, then connections, then anybody known", async () => {
    const far = async (name: string, network: string) =>
      addXchan(hub, {
        hash: `${name}-${network}`,
        name,
        network,
        address: `${name}@${network}.example`,
        url: `https://${network}.example/${name}`,
      });
    await far("bob", "rss");
    for (const name of ["Bob", "@bob", "@Bob@hub.example"])
      expect((await findByNick(hub, observerOf(alice), name))?.xchan_id).toBe(bob.xchan_id);
    const first = await far("erin", "ostatus");
    const second = await far("erin", "gnusoc");
    expect((await findByNick(hub, observerOf(alice), "erin"))?.xchan_id).toBe(first.xchan_id);
    expect((await findByNick(hub, anonymous, "erin"))?.xchan_id).toBe(first.xchan_id);
    await connect(hub, alice, second);
    expect((await findByNick(hub, observerOf(alice), "ERIN"))?.xchan_id).toBe(second.xchan_id);
    await connect(hub, alice, first);
    expect((await findByNick(hub, observerOf(alice), "erin"))?.xchan_id).toBe(second.xchan_id);
    expect((await findByNick(hub, observerOf(alice), "erin@ostatus.example"))?.xchan_id).toBe(first.xchan_id);
  });

  test("but nobody whose identity is gone, where somebody else has the name", async () => {
    const gone = await newcomer(hub, "gone");
    await removeChannel(hub, gone.channel_id);
    const far = await addXchan(hub, { hash: "gone-far", name: "Gone", network: "rss", address: "gone@far.example" });
    expect((await findByNick(hub, observerOf(alice), "gone"))?.xchan_id).toBe(far.xchan_id);
  });
});

test("a hidden list of contacts is hidden from connections without the permission", async () => {
  await setConfig(hub, bob.channel_id, "perm_limits", "view_contacts", "0");
  expect(await user(alice, bob)).toMatchObject({ friends: 0, followers: 0 });
  expect((await user(bob, bob)).friends).toBeGreaterThan(0);
});
