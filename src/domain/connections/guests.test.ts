import { observerOf } from "../identity/channels/observer.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { addMembers, createGroup, listMembers } from "../groups/groups.ts";
import { addXchan } from "../identity/xchans/add-xchan.ts";
import { setRole } from "../identity/channels/channels.ts";
import { removeChannel } from "./remove-channel.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { guestByToken } from "../identity/channels/guests.ts";
import { guestHash } from "../identity/xchans/guest-hash.ts";
import { limits } from "../identity/channels/roles.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import { observeAs } from "../identity/channels/observe-as.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { postItem } from "../items/posting/post.ts";
import { sendMessage } from "../messages/send.ts";
import { findByNick } from "../people/find-person.ts";
import { findKnown } from "../people/known-person.ts";
import { permissionsOf } from "../permissions/may.ts";
import { atokenRecord } from "../portable/atoken.ts";
import {
  changeGuest,
  connect,
  createGuest,
  deleteGuest,
  findGuest,
  hashesOfPeople,
  importGuest,
  listAbconfig,
  listGuestKeys,
  listGuests,
} from "./connections.ts";

let hub: TestHub;
let alice: Channel;
let bob: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  alice = await makeChannel(hub, "alice");
  bob = await makeChannel(hub, "bob");
});
afterAll(() => hub.close());

const reading = ["view_stream", "view_profile", "view_contacts", "view_storage", "view_pages", "view_wiki"];

describe("a guest", () => {
  test("has a key, an identity and the reading part of what connections get", async () => {
    const guest = await createGuest(hub, alice, { name: "  Aunt   Ann " });
    expect(guest).toMatchObject({
      atoken_uid: alice.channel_id,
      atoken_aid: alice.channel_account_id,
      atoken_name: "Aunt Ann",
      atoken_expires: "0001-01-01 00:00:00",
      hash: `${alice.channel_hash.slice(0, 16)}.Aunt Ann`,
      granted: reading,
    });
    expect(guest.atoken_token).toMatch(/^[\w-]{24}$/);
    expect(await findXchan(hub, { hash: guest.hash })).toMatchObject({
      xchan_network: "token",
      xchan_name: "Aunt Ann",
      xchan_addr: "",
      xchan_hidden: 1,
    });
    const rows = (await listAbconfig(hub, alice.channel_id, { cat: "my_perms" })).filter(
      (row) => row.xchan === guest.hash,
    );
    expect(rows).toHaveLength(18);
    expect(rows.filter((row) => row.v === "1").map((row) => row.k)).toEqual(reading);
  });

  test.each(["", "  ", "a,b", "<b>", "a]", "x".repeat(65), "a\tb\u0000"])("is not called %j", async (name) => {
    await expect(createGuest(hub, alice, { name })).rejects.toMatchObject({ kind: "invalid", field: "name" });
  });

  test("has a name of its own in the channel, not on the hub", async () => {
    await createGuest(hub, alice, { name: "Twin" });
    await expect(createGuest(hub, alice, { name: "Twin" })).rejects.toMatchObject({ kind: "conflict", field: "name" });
    expect((await createGuest(hub, bob, { name: "Twin" })).hash).toBe(guestHash(bob, { atoken_name: "Twin" }));
  });

  test("changes: day, permissions, key; nobody else's", async () => {
    const made = await createGuest(hub, alice, { name: "Changing", granted: ["view_stream"] });
    expect(made.granted).toEqual(["view_stream"]);
    const id = made.atoken_id;
    const later = await changeGuest(hub, alice, id, { expires: "2026-04-01 00:00:00" });
    expect(later).toMatchObject({ atoken_expires: "2026-04-01 00:00:00", atoken_token: made.atoken_token });
    expect(await changeGuest(hub, alice, id, { granted: ["view_wiki"] })).toMatchObject({ granted: ["view_wiki"] });
    const renewed = await changeGuest(hub, alice, id, { renewToken: true });
    expect(renewed.atoken_token).not.toBe(made.atoken_token);
    expect(await guestByToken(hub, made.atoken_token, { blockPublic: false })).toBeUndefined();
    await expect(changeGuest(hub, bob, id, {})).rejects.toMatchObject({ kind: "missing" });
    await expect(deleteGuest(hub, bob, id)).rejects.toMatchObject({ kind: "missing" });
    await expect(findGuest(hub, bob, id)).rejects.toMatchObject({ kind: "missing" });
  });

  test("that is deleted leaves no right behind", async () => {
    const guest = await createGuest(hub, alice, { name: "Leaving" });
    const group = await createGroup(hub, alice.channel_id, "With a guest");
    expect(
      await addMembers(hub, alice.channel_id, group.id, [guest.hash, guestHash(bob, { atoken_name: "Twin" })]),
    ).toEqual([guestHash(bob, { atoken_name: "Twin" })]);
    expect(await listMembers(hub, alice.channel_id, group.id)).toMatchObject([
      { xchan: guest.hash, abook_id: 0, xchan_name: "Leaving", abook_my_perms: 0 },
    ]);
    await deleteGuest(hub, alice, guest.atoken_id);
    expect(await guestByToken(hub, guest.atoken_token, { blockPublic: false })).toBeUndefined();
    expect(await listMembers(hub, alice.channel_id, group.id)).toEqual([]);
    expect((await listAbconfig(hub, alice.channel_id)).filter((row) => row.xchan === guest.hash)).toEqual([]);
    expect((await listGuests(hub, alice)).map((one) => one.atoken_name)).not.toContain("Leaving");
    expect(await createGuest(hub, alice, { name: "Leaving" })).toMatchObject({ hash: guest.hash });
  });
});

describe("a key", () => {
  test("lets in until its day, at the channel that gave it", async () => {
    const guest = await createGuest(hub, alice, { name: "Short", expires: "2026-03-01 12:00:10" });
    expect(await guestByToken(hub, guest.atoken_token, { blockPublic: false })).toMatchObject({
      name: "Short",
      host: "Alice",
      observer: { hash: guest.hash, native: false, channelId: 0, guestOf: alice.channel_id },
    });
    hub.advance(10);
    expect(await guestByToken(hub, guest.atoken_token, { blockPublic: false })).toBeUndefined();
    const xchan = (await findXchan(hub, { hash: guest.hash }))!;
    expect(await observeAs(hub, xchan)).toMatchObject({ guestOf: 0 });
    await changeGuest(hub, alice, guest.atoken_id, { expires: "0001-01-01 00:00:00" });
    expect(await observeAs(hub, xchan)).toMatchObject({ guestOf: alice.channel_id });
    expect(await guestByToken(hub, "", { blockPublic: false })).toBeUndefined();
    expect(await guestByToken(hub, "x".repeat(300), { blockPublic: false })).toBeUndefined();
  });

  test("to a removed channel lets in nowhere", async () => {
    const gone = await makeChannel(hub, "gone");
    const guest = await createGuest(hub, gone, { name: "Late" });
    await removeChannel(hub, gone.channel_id);
    expect(await guestByToken(hub, guest.atoken_token, { blockPublic: false })).toBeUndefined();
  });

  test("gives what the limits and grants say (3.4, rules 3 to 16)", async () => {
    const guest = await createGuest(hub, alice, { name: "Ruled", granted: ["view_stream", "view_pages"] });
    const { observer } = (await guestByToken(hub, guest.atoken_token, { blockPublic: false }))!;
    const rows: [keyof typeof limits, boolean, boolean][] = [
      // limit, with the grant, without it
      ["self", false, false],
      ["public", true, true],
      ["network", false, false],
      ["site", false, false],
      ["contacts", false, false],
      ["specific", true, false],
      ["authenticated", true, true],
      ["anyConnections", true, true],
    ];
    for (const [limit, granted, other] of rows) {
      await setConfig(hub, alice.channel_id, "perm_limits", "view_stream", String(limits[limit]));
      await setConfig(hub, alice.channel_id, "perm_limits", "view_wiki", String(limits[limit]));
      const found = await permissionsOf(hub, observer, alice.channel_id);
      expect([limit, found.view_stream, found.view_wiki]).toEqual([limit, granted, other]);
    }
    for (const name of ["view_stream", "view_wiki"]) await setConfig(hub, alice.channel_id, "perm_limits", name, "1");
    await setConfig(hub, bob.channel_id, "perm_limits", "view_stream", String(limits.authenticated));
    expect(await permissionsOf(hub, observer, bob.channel_id)).toMatchObject({
      view_stream: false,
      view_profile: true,
    });
    await setRole(hub, bob, "social");
  });
});

describe("who knows a guest", () => {
  test("its own channel alone", async () => {
    const { hash } = await createGuest(hub, alice, { name: "Secret" });
    expect(await findKnown(hub, alice.channel_id, { hash })).toMatchObject({ xchan_hash: hash });
    expect(await findKnown(hub, bob.channel_id, { hash })).toBeUndefined();
    expect(await findByNick(hub, observerOf(bob), "Secret")).toBeUndefined();
    expect(await hashesOfPeople(hub, alice.channel_id, [hash], "x")).toEqual([hash]);
    await expect(hashesOfPeople(hub, bob.channel_id, [hash], "x")).rejects.toMatchObject({ kind: "invalid" });
    await expect(connect(hub, bob, { xchan_hash: hash })).rejects.toMatchObject({ kind: "missing" });
    await expect(connect(hub, alice, { xchan_hash: hash })).rejects.toMatchObject({ kind: "missing" });
    const message = { to: hash, title: "", body: "Hello" };
    await expect(sendMessage(hub, bob, message)).rejects.toMatchObject({ kind: "missing" });
    await expect(postItem(hub, bob, { body: "Hello", remoteXchan: hash })).rejects.toMatchObject({
      field: "remote_xchan",
    });
  });

  test("nobody takes the identity of a guest, made or not", async () => {
    const { hash } = await createGuest(hub, alice, { name: "Taken" });
    await expect(addXchan(hub, { hash })).rejects.toMatchObject({ field: "hash" });
    await expect(addXchan(hub, { hash: guestHash(alice, { atoken_name: "Not yet" }) })).rejects.toMatchObject({
      field: "hash",
    });
    expect(await addXchan(hub, { hash: "0123456789abcdef.elsewhere" })).toMatchObject({ xchan_network: "unknown" });
  });

  test("somebody without an account who commented is known where the comment is", async () => {
    const hash = "ab".repeat(32);
    await hub.db
      .insertInto("xchan")
      .values({ xchan_hash: hash, xchan_network: "anon", xchan_created: "2026-01-01 00:00:00" })
      .execute();
    expect(await findKnown(hub, alice.channel_id, { hash })).toBeUndefined();
    expect(await observeAs(hub, (await findXchan(hub, { hash }))!)).toMatchObject({ guestOf: 0, channelId: 0 });
  });
});

describe("exports", () => {
  test("a guest comes over with name, key and day; twice is once", async () => {
    const from = await makeChannel(hub, "from");
    const guest = await createGuest(hub, from, { name: "Traveller", expires: "2027-01-01 00:00:00" });
    const record = atokenRecord((await listGuestKeys(hub, from.channel_id))[0]!);
    expect(Object.keys(record)).toEqual([
      "atoken_id",
      "atoken_aid",
      "atoken_uid",
      "atoken_name",
      "atoken_token",
      "atoken_expires",
    ]);
    await deleteGuest(hub, from, guest.atoken_id);
    expect(await importGuest(hub, from, record)).toBe("imported");
    expect(await importGuest(hub, from, { ...record, atoken_id: 7 })).toBe("there");
    expect(await listGuests(hub, from)).toMatchObject([
      { hash: guest.hash, atoken_token: guest.atoken_token, atoken_expires: "2027-01-01 00:00:00", granted: reading },
    ]);
    expect(await guestByToken(hub, guest.atoken_token, { blockPublic: false })).toMatchObject({ name: "Traveller" });
  });

  test("a key that opens another channel already is replaced; names that cannot be are left out", async () => {
    const { atoken_token: taken } = await createGuest(hub, alice, { name: "First" });
    expect(await importGuest(hub, bob, { atoken_name: "Second", atoken_token: taken })).toBe("imported");
    const second = (await listGuests(hub, bob)).find((guest) => guest.atoken_name === "Second")!;
    expect(second.atoken_token).not.toBe(taken);
    expect(await guestByToken(hub, taken, { blockPublic: false })).toMatchObject({ name: "First" });
    expect(await importGuest(hub, bob, { atoken_name: "a<b>" })).toBe("unreadable");
    expect(await importGuest(hub, bob, {})).toBe("unreadable");
  });
});
