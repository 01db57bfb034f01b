import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import type { Observer } from "../../src/domain/identity/channels/observer.ts";
import {
  guestObserver,
  nobody,
  observerElsewhere,
  observerOf,
  observerUnmet,
} from "../../src/domain/identity/channels/observer.ts";
import { makeChannel } from "./hub.ts";
import type { TestHub } from "./hub.ts";
import { foreigner, isGuest, people, unmet } from "./random-world.ts";
import type { World } from "./random-world.ts";

/** Random worlds in a database, one after the other. */
export type WorldBuilder = {
  channels: readonly Channel[];
  /** Makes the world in the place of the last one; answers the ids of its items. */
  build(world: World): Promise<number[]>;
  /** Who looks, by number; undefined is nobody. */
  observer(index: number | undefined, world: World): Observer;
  uidOf(index: number): number;
};

/** What stands in the item of this number and nowhere else. */
export const wordOf = (index: number): string => `marmalade${"abcdefghij"[index]}`;

const foreignHash = "https://elsewhere.example/users/eve";
const moment = (index: number): string => `2026-02-01 00:00:0${index}`;
const flag = (value: boolean): number => (value ? 1 : 0);

/** Makes the people of all worlds. */
export async function openWorlds(hub: TestHub): Promise<WorldBuilder> {
  const channels: Channel[] = [];
  for (let index = 0; index < people - 1; index++) channels.push(await makeChannel(hub, `person${index}`));
  await hub.db
    .insertInto("xchan")
    .values({ xchan_hash: foreignHash, xchan_network: "activitypub", xchan_created: "2026-01-01 00:00:00" })
    .execute();

  const hashOf = (index: number): string => {
    if (isGuest(index)) return `guest.${index}`;
    return index === foreigner ? foreignHash : channels[index]!.channel_hash;
  };
  const uidOf = (index: number): number => channels[index]!.channel_id;

  function observer(index: number | undefined, world: World): Observer {
    if (index === undefined) return nobody(world);
    if (index === unmet) return observerUnmet("https://elsewhere.example/users/una");
    const xchan = { xchan_id: 999 + index, xchan_hash: hashOf(index), xchan_network: "activitypub" };
    if (isGuest(index)) {
      const { of } = world.guests[index - people]!;
      return guestObserver(xchan, of === "nobody" ? 0 : uidOf(of), world);
    }
    return index === foreigner ? observerElsewhere(xchan) : observerOf(channels[index]!);
  }

  async function build(world: World): Promise<number[]> {
    for (const table of ["item", "message", "sent_to", "addressed_to", "pgrp_member", "pgrp", "abconfig"] as const)
      await hub.db.deleteFrom(table).execute();
    await hub.db.deleteFrom("abook").where("abook_self", "=", 0).execute();
    await hub.db.deleteFrom("config").where("cat", "=", "perm_limits").execute();
    for (const [index, channel] of world.channels.entries()) {
      const changes = {
        channel_removed: flag(channel.removed),
        channel_moved: channel.moved ? "https://new.example" : "",
      };
      await hub.db.updateTable("channel").set(changes).where("channel_id", "=", uidOf(index)).execute();
      const rows = Object.entries(channel.limits).map(([k, v]) => ({
        uid: uidOf(index),
        cat: "perm_limits",
        k,
        v: String(v),
        updated: "",
      }));
      await hub.db.insertInto("config").values(rows).execute();
    }
    for (const row of world.connections) await addConnection(row);
    for (const [index, guest] of world.guests.entries()) {
      if (guest.of !== "nobody") await addGrants(guest.of, people + index, guest.grants);
    }
    const hashes = await addGroups(world);
    return addItems(world, hashes);
  }

  async function addConnection(row: World["connections"][number]): Promise<void> {
    await hub.db
      .insertInto("abook")
      .values({
        abook_account: 1,
        abook_channel: uidOf(row.from),
        abook_xchan: hashOf(row.to),
        abook_pending: flag(row.pending),
        abook_blocked: flag(row.blocked),
        abook_ignored: flag(row.ignored),
        abook_profile: row.profile,
        abook_created: "",
        abook_updated: "",
      })
      .execute();
    await addGrants(row.from, row.to, row.grants);
  }

  async function addGrants(from: number, to: number, names: string[]): Promise<void> {
    if (names.length === 0) return;
    const grants = names.map((k) => ({ chan: uidOf(from), xchan: hashOf(to), cat: "my_perms", k, v: "1" }));
    await hub.db.insertInto("abconfig").values(grants).execute();
  }

  async function addGroups(world: World): Promise<string[]> {
    const hashes: string[] = [];
    for (const [index, group] of world.groups.entries()) {
      const hash = `${String(index).repeat(64)}G`;
      hashes.push(hash);
      const { id } = await hub.db
        .insertInto("pgrp")
        .values({ uid: uidOf(group.uid), hash, gname: "G", deleted: flag(group.deleted) })
        .returning("id")
        .executeTakeFirstOrThrow();
      for (const member of group.members) {
        await hub.db
          .insertInto("pgrp_member")
          .values({ uid: uidOf(group.uid), gid: id, xchan: hashOf(member) })
          .execute();
      }
    }
    return hashes;
  }

  async function addItems(world: World, hashes: string[]): Promise<number[]> {
    const list = (entries: string[]): string => entries.map((entry) => `<${entry}>`).join("");
    const group = (name: string): string => (name.startsWith("vp.") ? name : hashes[Number(name.slice(1))]!);
    const ids: number[] = [];
    for (const [index, item] of world.items.entries()) {
      const { id: message } = await hub.db
        .insertInto("message")
        .values({
          mid: `m${index}`,
          uuid: `u${index}`,
          author_id: 1,
          parent_mid: "",
          thr_parent: "",
          created: moment(index),
          edited: moment(index),
          body: wordOf(index),
          html: wordOf(index),
          plain: wordOf(index),
          words: wordOf(index),
          verb: "",
          obj_type: "",
          resource_type: { wiki: "nwikipage", photo: "photo", conversation: "", page: "" }[item.kind],
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const { id } = await hub.db
        .insertInto("item")
        .values({
          uid: uidOf(item.uid),
          aid: 1,
          message_id: message,
          parent: 0,
          thr_parent_id: 0,
          ...(item.said !== "" && { item_origin: 1 }),
          author_id: item.said === "" ? 1 : channels[item.uid]!.xchan_id,
          owner_id: item.said === "owner" || item.said === "unsent" ? 999 + foreigner : 1,
          created: moment(index),
          commented: moment(index),
          received: moment(index),
          changed: moment(index),
          public_policy: item.policy,
          item_private: item.private,
          item_type: item.kind === "page" ? 1 + (index % 3) : 0,
          item_wall: flag(item.wall),
          allow_cid: list(item.allowPeople.map(hashOf)),
          allow_gid: list(item.allowGroups.map(group)),
          deny_cid: list(item.denyPeople.map(hashOf)),
          deny_gid: list(item.denyGroups.map(group)),
          ...(item.flaw !== "" && { [item.flaw]: 1 }),
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      ids.push(id);
      await addSaid(item, id, message);
    }
    return ids;
  }

  /** Whom its thread names, and that it was sent there; it begins the thread itself. */
  async function addSaid({ said }: World["items"][number], id: number, message_id: number): Promise<void> {
    await hub.db
      .updateTable("item")
      .set({ parent: id, ...(said === "" && { thr_parent_id: id, item_thread_top: 1 }) })
      .where("id", "=", id)
      .execute();
    const person = said === "named" ? foreignHash : "https://elsewhere.example/users/adam";
    await hub.db.insertInto("addressed_to").values({ message_id, person }).execute();
    if (said === "" || said === "unsent") return;
    await hub.db.insertInto("sent_to").values({ message_id, inbox: "", people: "[]", shared: 0 }).execute();
  }

  return { channels, build, observer, uidOf };
}
