import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorlds } from "../../../test/support/built-world.ts";
import type { WorldBuilder } from "../../../test/support/built-world.ts";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { oracleAdmits, oracleAllows, oracleSees } from "../../../test/support/permission-oracle.ts";
import { foreigner, people, unmet, worlds } from "../../../test/support/random-world.ts";
import type { World } from "../../../test/support/random-world.ts";
import { permissionNames } from "../identity/channels/roles.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { channelsAllowing, permissionsOf } from "./may.ts";
import { filesVisibleTo } from "./visible-files.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { actorValues, listsAdmit, visibleTo, visibleToActor } from "./visible.ts";
import { size } from "../../../test/support/size.ts";

/** The SQL of the permissions against a plain oracle, over random worlds. */

let hub: TestHub;
let builder: WorldBuilder;

beforeAll(async () => {
  hub = await openTestHub();
  builder = await openWorlds(hub);
});
afterAll(() => hub.close());

const build = (world: World): Promise<number[]> => builder.build(world);
const observer = (index: number | undefined, world: World): Observer => builder.observer(index, world);
const uidOf = (index: number): number => builder.uidOf(index);
const observers = [undefined, ...Array.from({ length: unmet + 1 }, (_, index) => index)];

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
    { numRuns: size(20, 600) },
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
    { numRuns: size(20, 600) },
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
    { numRuns: size(15, 400) },
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
        for (const uid of builder.channels.keys()) {
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
    { numRuns: size(10, 300) },
  );
});

test("asking for many channels at once agrees with the oracle", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.constantFrom(...permissionNames), async (world, permission) => {
      await build(world);
      const all = [...builder.channels.keys()];
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
    { numRuns: size(15, 400) },
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
    { numRuns: size(10, 300) },
  );
});
