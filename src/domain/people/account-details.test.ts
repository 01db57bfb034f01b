import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { inTransaction } from "../../hub.ts";
import { listConfig, removeConfig, setConfig, setConfigs } from "../identity/channels/channel-config.ts";
import { channelSettings, families } from "../identity/channels/channel-settings.ts";
import { nobody } from "../identity/channels/observer.ts";
import { limits, permissionBits, permissionNames } from "../identity/channels/roles.ts";
import { loadAccounts, shownSettings } from "./account-details.ts";

/** What a channel's row says of its settings, so that nobody need look for them (decision 139). */

let world: TestApp;
let uid: number;
beforeAll(async () => {
  world = await openTestApp();
  uid = (await world.person("ann", { role: "custom" })).channel.channel_id;
});
afterAll(() => world.close());

async function row() {
  const columns = ["channel_open", "channel_shown"] as const;
  const { channel_open: open, channel_shown: shown } = await world.hub.db
    .selectFrom("channel")
    .select(columns)
    .where("channel_id", "=", uid)
    .executeTakeFirstOrThrow();
  return { open, shown: JSON.parse(shown) as Record<string, string> };
}

/** The same by the settings themselves. */
async function settings() {
  const rows = await listConfig(world.hub, uid);
  const open = rows.filter(
    ({ cat, k, v }) => cat === families.limits && k.startsWith("view_") && v === String(limits.public),
  );
  const told = rows.filter((row) => shownSettings.some(({ cat, k }) => cat === row.cat && k === row.k));
  return {
    open: open.reduce((sum, { k }) => sum + permissionBits[k as keyof typeof permissionBits], 0),
    shown: Object.fromEntries(told.map(({ cat, k, v }) => [`${cat} ${k}`, v])),
  };
}

describe("what the row of a channel says of its settings", () => {
  test("is so from the beginning", async () => {
    const { open, shown } = await row();
    expect(open).toBeGreaterThan(0);
    expect(shown).toHaveProperty(["system permissions_role"], "custom");
    expect({ open, shown }).toEqual(await settings());
  });

  test("changes with each limit, and says nothing of what is for no readers", async () => {
    for (const name of permissionNames) {
      for (const limit of [limits.self, limits.public, limits.contacts]) {
        await setConfig(world.hub, uid, families.limits, name, String(limit));
        expect(await row()).toEqual(await settings());
      }
    }
    expect((await row()).open).toBe(0);
  });

  test("changes with each setting that is shown and with no other, and forgets those that are removed", async () => {
    for (const { cat, k } of Object.values(channelSettings)) await setConfig(world.hub, uid, cat, k, `"${k}" \\ ü`);
    expect(Object.keys((await row()).shown)).toHaveLength(shownSettings.length);
    expect(await row()).toEqual(await settings());
    for (const { cat, k } of shownSettings) {
      await removeConfig(world.hub, uid, cat, k);
      expect((await row()).shown).not.toHaveProperty([`${cat} ${k}`]);
    }
    expect(await row()).toEqual({ open: 0, shown: {} });
  });

  test("is what accounts show", async () => {
    const { xchan_id: id, channel_id: bob } = (await world.person("bob", { role: "custom" })).channel;
    const said = { autoperms: "1", channel_kind: "service", who_may_quote: "nobody" };
    await setConfigs(world.hub, bob, "system", said);
    await setConfig(world.hub, bob, families.limits, "view_stream", String(limits.self));
    const { accounts } = await loadAccounts(world.hub, nobody({ blockPublic: false }), [id]);
    expect(accounts.get(id)).toMatchObject({ locked: false, bot: true, quoters: "nobody", streamPublic: false });
  });

  test("holds of two changes at once both", async () => {
    const changes = permissionNames.map((name) =>
      inTransaction(world.hub, async (hub) => setConfig(hub, uid, families.limits, name, String(limits.public))),
    );
    await Promise.all(changes);
    expect(await row()).toEqual(await settings());
    expect((await row()).open & permissionBits.view_pages).not.toBe(0);
  });
});
