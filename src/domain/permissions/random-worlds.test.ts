import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { oracleAdmits, oracleAllows, oracleSees } from "../../../test/support/permission-oracle.ts";
import { foreigner, isGuest, people, unmet, worlds } from "../../../test/support/random-world.ts";
import type { World } from "../../../test/support/random-world.ts";
import { permissionNames } from "../identity/channels/roles.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { guestObserver, nobody, observerElsewhere, observerOf, observerUnmet } from "../identity/channels/observer.ts";
import { channelsAllowing, permissionsOf } from "./may.ts";
import { filesVisibleTo } from "./visible-files.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { actorValues, listsAdmit, visibleTo, visibleToActor } from "./visible.ts";
import { size } from "../../../test/support/size.ts";

/** The SQL of the permissions against a plain oracle, over random worlds. */

let hub: TestHub;
let channels: Channel[];
const foreignHash = "https://elsewhere.example/users/eve";

beforeAll(async () => {
  hub = await openTestHub();
  channels = [];
  for (let index = 0; index < people - 1; index++) channels.push(await makeChannel(hub, `person${index}`));
  await hub.db
    .insertInto("xchan")
    .values({ xchan_hash: foreignHash, xchan_network: "activitypub", xchan_created: "2026-01-01 00:00:00" })
    .execute();
});
afterAll(() => hub.close());

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

const observers = [undefined, ...Array.from({ length: unmet + 1 }, (_, index) => index)];
const flag = (value: boolean): number => (value ? 1 : 0);

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
        created: "",
        edited: "",
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
        created: "",
        commented: "",
        received: "",
        changed: "",
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
  await hub.db.updateTable("item").set({ parent: id }).where("id", "=", id).execute();
  const person = said === "named" ? foreignHash : "https://elsewhere.example/users/adam";
  await hub.db.insertInto("addressed_to").values({ message_id, person }).execute();
  if (said === "" || said === "unsent") return;
  await hub.db.insertInto("sent_to").values({ message_id, inbox: "", people: "[]", shared: 0 }).execute();
}

const lookingPermissions = ["view_stream", "view_pages", "view_wiki", "view_storage"] as const;

test("the SQL agrees with the oracle in every random world", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.constantFrom(...lookingPermissions), async (world, permission) => {
      const ids = await build(world);
      for (const who of observers) {
        const rows = await hub.db
          .selectFrom("item")
          .select("id")
          .where(visibleTo(hub, observer(who, world), permission))
          .orderBy("id")
          .execute();
        const expected = ids.filter((_, index) => oracleSees(world, world.items[index]!, who, permission));
        expect(
          rows.map((row) => row.id),
          `items that ${who} sees by ${permission}`,
        ).toEqual(expected);
      }
    }),
    { numRuns: size(40, 600) },
  );
});

test("the SQL for anybody of elsewhere is that for one", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.constantFrom(undefined, "block", "mute"), async (world, kind) => {
      await build(world);
      if (kind) await hub.db.insertInto("host_block").values(hostBlock(kind)).execute();
      const one = observer(foreigner, world);
      const rows = hub.db.selectFrom("item").select("id").orderBy("id");
      const found = await compiled(hub, "what somebody of elsewhere sees", actorValues(one)!, (slots) =>
        rows.where(visibleToActor(hub, slots)),
      );
      expect(found).toEqual(await rows.where(visibleTo(hub, one)).execute());
      await hub.db.deleteFrom("host_block").execute();
    }),
    { numRuns: size(40, 600) },
  );
});

function hostBlock(kind: "block" | "mute") {
  return { uid: uidOf(0), host: "elsewhere.example", kind, created: "" };
}

test("lists alone admit whom the oracle admits", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const ids = await build(world);
      for (const who of observers) {
        const admitted = listsAdmit(hub, observer(who, world), { table: "item", uid: sql.ref<number>("item.uid") });
        const rows = await hub.db.selectFrom("item").select("id").where(admitted).orderBy("id").execute();
        const expected = ids.filter((_, index) => oracleAdmits(world, world.items[index]!, who));
        expect(
          rows.map((row) => row.id),
          `rows that admit ${who}`,
        ).toEqual(expected);
      }
    }),
    { numRuns: size(30, 400) },
  );
});

/** The items of a world as a storage: every second one is a directory, and most lie in one that came before. */
function folderOf(world: World, index: number): number | undefined {
  if (index % 3 === 0) return undefined;
  const before = [...world.items.keys()].slice(0, index).filter(isFolder);
  return before.findLast((one) => world.items[one]!.uid === world.items[index]!.uid);
}

const isFolder = (index: number): boolean => index % 2 === 0;

/** Folders are there for others who find a file in them, or below them, or may put one there. */
function oracleFinds(world: World, index: number, who: number | undefined): boolean {
  const { uid } = world.items[index]!;
  if (who === uid) return true;
  if (!oracleReaches(world, index, who)) return false;
  if (!isFolder(index) || oracleAllows(world, uid, who, "write_storage")) return true;
  const places = [...world.items.keys()].filter((one) => world.items[one]!.uid === uid && !isFolder(one));
  return places.some((one) => isBelow(world, one, index) && oracleReaches(world, one, who));
}

function isBelow(world: World, index: number, folder: number): boolean {
  const above = folderOf(world, index);
  return above !== undefined && (above === folder || isBelow(world, above, folder));
}

function oracleReaches(world: World, index: number, who: number | undefined): boolean {
  if (!oracleAllows(world, world.items[index]!.uid, who, "view_storage")) return false;
  for (let at: number | undefined = index; at !== undefined; at = folderOf(world, at)) {
    if (!oracleAdmits(world, world.items[at]!, who)) return false;
  }
  return true;
}

/** Gives the world's items a second life as files with the same lists; their hashes are their places. */
async function addFiles(world: World): Promise<void> {
  await hub.db.deleteFrom("attach").execute();
  for (const index of world.items.keys()) {
    const lists = await hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(["allow_cid", "allow_gid", "deny_cid", "deny_gid"])
      .where("mid", "=", `m${index}`)
      .executeTakeFirstOrThrow();
    const file = { aid: 1, filesize: 0, creator: "", filename: `${index}`, filetype: "", latest: 1 };
    const place = { hash: `${index}`, folder: String(folderOf(world, index) ?? ""), is_dir: isFolder(index) ? 1 : 0 };
    const dates = { created: "", edited: "" };
    await hub.db
      .insertInto("attach")
      .values({ ...file, ...place, ...lists, ...dates, uid: uidOf(world.items[index]!.uid) })
      .execute();
  }
}

test("files are found by whom every directory above them admits", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      await build(world);
      await addFiles(world);
      for (const who of observers) {
        for (const uid of channels.keys()) {
          const rows = await hub.db
            .selectFrom("attach")
            .select("hash")
            .where("attach.uid", "=", uidOf(uid))
            .where(filesVisibleTo(hub, observer(who, world), uidOf(uid)))
            .orderBy("id")
            .execute();
          const expected = [...world.items.keys()].filter(
            (index) => world.items[index]!.uid === uid && oracleFinds(world, index, who),
          );
          expect(
            rows.map((row) => Number(row.hash)),
            `files of ${uid} that ${who} sees`,
          ).toEqual(expected);
        }
      }
    }),
    { numRuns: size(20, 300) },
  );
});

test("asking for many channels at once agrees with the oracle", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.constantFrom(...permissionNames), async (world, permission) => {
      await build(world);
      const all = channels.map((_, index) => index);
      for (const who of observers) {
        const allowing = await channelsAllowing(hub, observer(who, world), [permission], all.map(uidOf));
        const found = allowing[permission];
        const expected = all.filter((uid) => oracleAllows(world, uid, who, permission)).map(uidOf);
        expect(
          [...found].toSorted((one, other) => one - other),
          `who allows ${who} ${permission}`,
        ).toEqual(expected);
      }
    }),
    { numRuns: size(30, 400) },
  );
});

test("every permission agrees with the oracle", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.nat(people - 2), async (world, uid) => {
      await build(world);
      for (const who of observers) {
        const found = await permissionsOf(hub, observer(who, world), uidOf(uid));
        const expected = Object.fromEntries(permissionNames.map((name) => [name, oracleAllows(world, uid, who, name)]));
        expect(found, `what ${who} may do with ${uid}`).toEqual(expected);
      }
    }),
    { numRuns: size(20, 300) },
  );
});
