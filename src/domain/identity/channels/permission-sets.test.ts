import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { applyPermissionSet, connect, findConnectionTo, grantsFor } from "../../connections/connections.ts";
import { getConfig, setConfig } from "./channel-config.ts";
import type { Channel } from "./channel.ts";
import {
  defaultSet,
  deletePermissionSet,
  findPermissionSet,
  listPermissionSets,
  savePermissionSet,
  setDefaultSet,
} from "./permission-sets.ts";
import { grantsOf, permissionBits } from "./roles.ts";

let hub: TestHub;
let alice: Channel;
let bob: Channel;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await makeChannel(hub, "alice");
  bob = await makeChannel(hub, "bob");
});
afterAll(() => hub.close());

test("a set is kept as composite config, and those of other hubs are read", async () => {
  const uid = alice.channel_id;
  await savePermissionSet(hub, uid, { name: " Readers ", granted: ["chat", "view_stream"] });
  expect(await getConfig(hub, uid, "permcat", "Readers")).toBe('json:["view_stream","chat"]');
  await setConfig(hub, uid, "permcat", "older", 'json:{"view_stream":"1","chat":0,"view_photos":1,"post_mail":1}');
  await setConfig(hub, uid, "permcat", "broken", "json:[");
  await setConfig(hub, uid, "permcat", "plain", "text");
  expect(await listPermissionSets(hub, uid)).toEqual([
    { name: "older", granted: ["view_stream", "post_mail"] },
    { name: "Readers", granted: ["view_stream", "chat"] },
  ]);
  expect(await findPermissionSet(hub, uid, "plain")).toBeUndefined();
  expect(await listPermissionSets(hub, bob.channel_id)).toEqual([]);
  for (const name of ["", "x".repeat(65)])
    await expect(savePermissionSet(hub, uid, { name, granted: [] })).rejects.toMatchObject({ field: "name" });
});

test("a connection gets exactly the set, and the other side learns it", async () => {
  await savePermissionSet(hub, alice.channel_id, { name: "Few", granted: ["view_stream", "post_mail"] });
  await connect(hub, bob, { xchan_hash: alice.channel_hash });
  const { abook_id: id } = await connect(hub, alice, { xchan_hash: bob.channel_hash });
  await applyPermissionSet(hub, alice, id, "Few");
  const sum = permissionBits.view_stream + permissionBits.post_mail;
  expect(await findConnectionTo(hub, alice.channel_id, bob.channel_hash)).toMatchObject({ abook_my_perms: sum });
  expect(await findConnectionTo(hub, bob.channel_id, alice.channel_hash)).toMatchObject({ abook_their_perms: sum });
  await expect(applyPermissionSet(hub, alice, id, "None")).rejects.toMatchObject({ field: "permcat" });
  await expect(applyPermissionSet(hub, bob, id, "Few")).rejects.toMatchObject({ kind: "missing" });
});

test("the set for new connections comes before the role, while it exists (3.3)", async () => {
  const uid = alice.channel_id;
  await savePermissionSet(hub, uid, { name: "New ones", granted: ["view_wiki"] });
  await setDefaultSet(hub, uid, "New ones");
  expect(Object.entries(await grantsFor(hub, alice)).filter(([, on]) => on === 1)).toEqual([["view_wiki", 1]]);
  const carol = await makeChannel(hub, "carol");
  expect(await connect(hub, alice, { xchan_hash: carol.channel_hash })).toMatchObject({ abook_my_perms: 0 });
  await deletePermissionSet(hub, uid, "New ones");
  expect(await defaultSet(hub, uid)).toBeUndefined();
  expect(await grantsFor(hub, alice)).toEqual(grantsOf("social"));
  await setConfig(hub, uid, "system", "default_permcat", "default");
  expect(await grantsFor(hub, alice)).toEqual(grantsOf("social"));
  await expect(setDefaultSet(hub, uid, "nothing")).rejects.toMatchObject({ field: "default_permcat" });
  await expect(deletePermissionSet(hub, uid, "nothing")).rejects.toMatchObject({ kind: "missing" });
});
