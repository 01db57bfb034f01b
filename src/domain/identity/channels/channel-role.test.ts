import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { connect, grantsFor, permissionBitsOf, setOwnRules } from "../../connections/connections.ts";
import { findGroup } from "../../groups/groups.ts";
import { getConfig } from "./channel-config.ts";
import type { Channel } from "./channel.ts";
import { findChannelById, roleOf, setRole } from "./channels.ts";
import { choicesFor, permissionLimitsOf, setPermissionLimits } from "./permission-limits.ts";
import { defaultProfile } from "./profiles.ts";
import { isReading, permissionNames } from "./roles.ts";
import type { PermissionName, RoleName } from "./roles.ts";
import { findXchan } from "../xchans/xchans.ts";

/** The table of native contract 3.6, as channels of each role are made, and as channels change to it. */

type Row = {
  sum: number;
  specific: PermissionName[];
  auto: boolean;
  friends: boolean;
  listed: boolean;
  online: boolean;
};

const forumPrivate: PermissionName[] = ["view_profile", "view_contacts", "view_storage", "view_pages", "view_wiki"];
const row = (sum: number, traits: string, specific: PermissionName[] = []): Row => ({
  sum,
  specific,
  auto: traits.includes("auto"),
  friends: traits.includes("friends"),
  listed: traits.includes("listed"),
  online: traits.includes("online"),
});
const table: [RoleName, Row][] = [
  ["social", row(218555, "listed online")],
  ["social_restricted", row(153019, "friends listed online")],
  ["social_private", row(151995, "friends", ["view_contacts", "view_storage"])],
  ["forum", row(218603, "auto listed")],
  ["forum_restricted", row(153067, "friends listed")],
  ["forum_private", row(153003, "friends", forumPrivate)],
  ["feed", row(217531, "auto listed")],
  ["feed_restricted", row(217531, "friends")],
  ["soapbox", row(217099, "auto listed")],
  ["repository", row(259563, "auto listed")],
];

let hub: TestHub;
let fan: Channel;
let changing: Channel;
beforeAll(async () => {
  hub = await openTestHub();
  fan = await makeChannel(hub, "fan");
  changing = await makeChannel(hub, "changing");
});
afterAll(() => hub.close());

async function check(made: Channel, name: RoleName, expected: Row): Promise<void> {
  const channel = (await findChannelById(hub, made.channel_id))!;
  const uid = channel.channel_id;
  expect(await roleOf(hub, uid)).toBe(name);
  expect(await permissionLimitsOf(hub, uid)).toEqual(
    Object.fromEntries(
      permissionNames.map((one) => [one, isReading(one) && !expected.specific.includes(one) ? 1 : 128]),
    ),
  );
  const friends = (await findGroup(hub, uid, { name: "Friends" }))!;
  expect(channel.channel_allow_gid).toBe(expected.friends ? `<${friends.hash}>` : "");
  expect(channel.channel_default_group).toBe(friends.hash);
  expect((await defaultProfile(hub, uid)).publish).toBe(expected.listed ? 1 : 0);
  expect(await findXchan(hub, { id: channel.xchan_id })).toMatchObject({
    xchan_hidden: expected.listed ? 0 : 1,
    xchan_pubforum: name.startsWith("forum") ? 1 : 0,
  });
  expect(await getConfig(hub, uid, "system", "show_online_status")).toBe(expected.online ? "1" : "0");
}

describe.each(table)("%s", (name, expected) => {
  test("a new channel", async () => {
    const channel = await makeChannel(hub, name.replace("_", "-"), { role: name });
    await check(channel, name, expected);
    const asked = await connect(hub, fan, { xchan_hash: channel.channel_hash });
    expect([asked.follow_out, asked.abook_their_perms]).toEqual(
      expected.auto ? ["accepted", expected.sum] : ["requested", 0],
    );
    const back = await connect(hub, channel, { xchan_hash: fan.channel_hash });
    expect(back.abook_my_perms).toBe(expected.sum);
  });

  test("a channel that changes its role", async () => {
    await setRole(hub, changing, name);
    await check(changing, name, expected);
  });
});

test("custom starts as social_restricted without post_wall, and the owner sets the rest", async () => {
  const own = await makeChannel(hub, "own", { role: "custom" });
  await check(own, "custom", { ...row(0, "friends listed online"), specific: [] });
  const sumOf = async (): Promise<number> =>
    permissionBitsOf(Object.entries(await grantsFor(hub, own)).map(([k, v]) => ({ k, v: String(v) })));
  expect(await sumOf()).toBe(153019 - 0x20);
  await setOwnRules(hub, own, { granted: ["view_stream", "chat"], autoApprove: true, limits: { chat: 8 } });
  expect(await sumOf()).toBe(0x401);
  expect((await permissionLimitsOf(hub, own.channel_id)).chat).toBe(8);
  expect(await connect(hub, fan, { xchan_hash: own.channel_hash })).toMatchObject({
    follow_out: "accepted",
    abook_their_perms: 0x401,
  });
});

test("changing one limit makes a channel custom, and it keeps what it granted", async () => {
  const own = await makeChannel(hub, "was-forum", { role: "forum" });
  await setOwnRules(hub, own, { limits: { view_wiki: 128 } });
  expect(await roleOf(hub, own.channel_id)).toBe("custom");
  expect((await permissionLimitsOf(hub, own.channel_id)).view_wiki).toBe(128);
  expect((await grantsFor(hub, own)).tag_deliver).toBe(1);
});

test("limits are those of 3.2: public for reading only", async () => {
  expect(choicesFor("view_stream")).toEqual([0, 128, 8, 512, 4, 2, 256, 1]);
  expect(choicesFor("post_wall")).toEqual([0, 128, 8, 512, 4, 2, 256]);
  for (const [name, limit] of [
    ["post_wall", 1],
    ["view_stream", 3],
    ["view_stream", -1],
  ] as const) {
    await expect(setPermissionLimits(hub, fan.channel_id, { [name]: limit })).rejects.toMatchObject({
      field: `limit_${name}`,
    });
  }
});
