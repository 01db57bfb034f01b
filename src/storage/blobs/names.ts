import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database, Engine } from "../engine.ts";
import { isOneOf } from "../sql.ts";

/** Tables with a column `blob` that names bytes in the blob store. A table that gains one joins here. */
const tables = ["photo", "attach", "import_run", "upload_piece", "remote_media", "emoji"] as const;

const together = 500;

/** The names of all blobs that rows speak of, each once. */
export async function* blobNames(db: Database): AsyncGenerator<string> {
  for (const [index, table] of tables.entries()) {
    let last = 0;
    for (;;) {
      const rows = await db
        .selectFrom(table)
        .select(["id", "blob", namedBefore(table, tables.slice(0, index)).as("again")])
        .where("id", ">", last)
        .where("blob", "<>", sql.lit(""))
        .orderBy("id")
        .limit(together)
        .execute();
      for (const row of rows) if (row.again === 0) yield row.blob;
      const end = rows.at(-1);
      if (!end || rows.length < together) break;
      last = end.id;
    }
  }
}

/** Renditions of the same bytes share a blob, and an image shares one with its file: 1 where another row came first. */
function namedBefore(table: string, before: readonly string[]): RawBuilder<number> {
  const own = sql`exists (select 1 from ${sql.table(table)} t
    where t.blob = ${sql.ref(`${table}.blob`)} and t.blob <> '' and t.id < ${sql.ref(`${table}.id`)})`;
  const others = before.map(
    (other) => sql`exists (select 1 from ${sql.table(other)} t
      where t.blob = ${sql.ref(`${table}.blob`)} and t.blob <> '')`,
  );
  return sql<number>`case when ${sql.join([own, ...others], sql` or `)} then 1 else 0 end`;
}

/** What stands for a channel without a picture: it can be drawn again, so no row names it. */
export function nameOfDrawing(channelId: number, rest: string): string {
  return `avatar-${channelId}-${rest}`;
}

const drawing = /^avatar-(\d+)-/;

/** Those of these names that no row speaks of, and that are not drawn for a channel that is here. */
export async function unusedBlobs(db: Database, engine: Engine, names: readonly string[]): Promise<string[]> {
  const used = new Set<string>();
  for (const table of tables) {
    const rows = await db
      .selectFrom(table)
      .select("blob")
      .where(isOneOf(engine, sql.ref("blob"), names))
      .where("blob", "<>", sql.lit(""))
      .execute();
    for (const row of rows) used.add(row.blob);
  }
  const rest = names.filter((name) => !used.has(name));
  const drawn = await channelsAmong(db, engine, rest.map(channelDrawn));
  return rest.filter((name) => !drawn.has(channelDrawn(name)));
}

/** 0 for any other blob, and for what is drawn for nobody. */
function channelDrawn(name: string): number {
  return Number(drawing.exec(name)?.[1] ?? 0);
}

async function channelsAmong(db: Database, engine: Engine, ids: readonly number[]): Promise<Set<number>> {
  const some = ids.filter((id) => id > 0);
  if (some.length === 0) return new Set();
  const rows = await db
    .selectFrom("channel")
    .select("channel_id")
    .where(isOneOf(engine, sql.ref("channel_id"), some))
    .execute();
  return new Set(rows.map((row) => row.channel_id));
}
