import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Engine } from "../../storage/engine.ts";

/** The fields of the file entry, exactly these, in the order of native contract 6.4. */
const fields =
  "id aid uid hash filename filetype filesize revision folder os_storage is_dir is_photo flags created edited " +
  "allow_cid allow_gid deny_cid deny_gid";

/** A row of a list of files: its place in the order, and the entry as JSON. */
export type FileEntry = { created: string; id: number; json: string };

/**
 * The file entry as JSON text with all values as texts. The database writes it: nothing happens to the rows of a list but
 * that they are sent, and taking them apart costs more than reading them.
 */
export function entryJson(engine: Engine): RawBuilder<string> {
  const names = fields.split(" ");
  const texts = names.map((name) => sql`cast(${sql.ref(name)} as text)`);
  if (engine === "sqlite")
    return sql<string>`json_object(${sql.join(names.map((name, at) => sql`${sql.lit(name)}, ${texts[at]}`))})`;
  // Unlike json_build_object this writes no spaces.
  const columns = sql.join(names.map((name, at) => sql`${texts[at]} as ${sql.ref(name)}`));
  return sql<string>`(select row_to_json(entry) from (select ${columns}) entry)::text`;
}
