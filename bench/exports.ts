import { CompiledQuery } from "kysely";
import { openDatabase } from "../src/storage/database.ts";
import { basic } from "../test/support/client.ts";
import { cases } from "./cases.ts";
import type { DatabasePlace } from "./databases.ts";
import type { Resident, World } from "./dataset.ts";
import { password } from "./dataset/people.ts";
import { logIn } from "./log-in.ts";
import type { Pace } from "./measure.ts";
import { ownMemory, untilIdle } from "./processes.ts";
import type { Loader, Server } from "./processes.ts";

/** What the hub's memory does while somebody takes a long export away. */
export type ExportRun = {
  items: number;
  seconds: number;
  /** Megabytes of the answer. */
  size: number;
  /** Megabytes that the hub grew by at the most. */
  growth: number;
};

export const exportCase = "channel/export/basic, 100,000 items";

const items = 100_000;

/** Exports a channel with a hundred thousand items of the last three months in one answer; it writes them first. */
export async function benchExport(
  place: DatabasePlace,
  world: World,
  hub: Server,
  loader: Loader,
  pace: Pace,
): Promise<ExportRun> {
  const who = world.lonely[0]!;
  await writeItems(place, who);
  await warmUp(world, hub, loader, pace);
  await untilIdle(hub.process);
  const before = ownMemory(hub.process);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, ownMemory(hub.process))), 20);
  const started = performance.now();
  const bytes = await read(hub, who, "channel/export/basic?sections=items").finally(() => clearInterval(watch));
  return { items, seconds: (performance.now() - started) / 1000, size: bytes / 1e6, growth: most - before };
}

/** A hub that has served for a while has the room that any load takes; what the export takes besides is asked for. */
async function warmUp(world: World, hub: Server, loader: Loader, { seconds, connections }: Pace): Promise<void> {
  const calls = cases[0]!.pairs(world).map((pair) => pair.hub);
  await logIn(hub, calls);
  await loader.run({ port: hub.port, calls, seconds, connections, pause: 0, most: 200_000 });
}

/** Reads an answer to its end as it comes, and how long it is; throws when it is not whole. */
async function read(hub: Server, { nick }: Resident, path: string): Promise<number> {
  const authorization = basic(`${nick}:${password}`);
  const response = await fetch(`http://127.0.0.1:${hub.port}/api/z/1.0/${path}`, { headers: { authorization } });
  if (!response.ok) throw new Error(`The export was refused with ${response.status}`);
  let bytes = 0;
  let end = "";
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    end = (end + Buffer.from(chunk.subarray(-2)).toString("latin1")).slice(-2);
  }
  if (end !== "]}") throw new Error("The export broke off");
  return bytes;
}

/** Posts with the texts of those that there are, one every minute until now. */
async function writeItems({ settings }: DatabasePlace, { uid, xchanId }: Resident): Promise<void> {
  const db = openDatabase(settings);
  const onPostgres = settings.engine === "postgres";
  const numbers = onPostgres
    ? `select n from generate_series(1, ${items}) n`
    : `with recursive s(n) as (select 1 union all select n + 1 from s where n < ${items}) select n from s`;
  const date = onPostgres
    ? "to_char((now() at time zone 'utc') - n * interval '1 minute', 'YYYY-MM-DD HH24:MI:SS')"
    : "datetime('now', '-' || n || ' minutes')";
  const first = "(select max(id) from message)";
  const run = (statement: string) => db.executeQuery(CompiledQuery.raw(statement));
  const { rows } = await db.executeQuery<{ id: number }>(CompiledQuery.raw(`select ${first} as id`));
  const last = Number(rows[0]!.id);
  const mid = "'http://hub.example/item/export-' || n";
  await run(`insert into message (id, mid, uuid, parent_mid, thr_parent, verb, obj_type, author_id, created, edited, mimetype,
      title, body, html, plain, sig)
    select ${last} + n, ${mid}, 'export-' || n, ${mid}, ${mid}, m.verb, m.obj_type, ${xchanId}, ${date}, ${date}, m.mimetype,
      m.title, m.body, m.html, m.plain, m.sig
    from (${numbers}) s join message m on m.id = 1 + n % (${last} - 1)`);
  await run(`insert into item (uid, aid, message_id, parent, thr_parent_id, author_id, owner_id, created, commented, received,
      changed, item_thread_top, item_wall, item_origin)
    select ${uid}, 1, id, id, id, author_id, author_id, created, created, created, created, 1, 1, 1
    from message where id > ${last}`);
  if (onPostgres) {
    // What is posted later gets ids beyond those that were given by hand.
    await run("select setval(pg_get_serial_sequence('message', 'id'), (select max(id) from message))");
    await run("analyze");
  }
  await db.destroy();
}
