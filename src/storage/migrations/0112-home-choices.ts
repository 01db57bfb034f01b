import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { keepScreens, screens, sources, triggerName } from "./0111-screens.ts";

/**
 * Most channels have chosen nothing of whose posts stand in their home of applications: `channel_screens` has a further bit for those that
 * have lists to themselves, or people without shares or in some languages (decision 153). It is one sum, so its triggers are made anew.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const former = Object.entries(sources).flatMap(([table, { changes }]) =>
    Object.keys(changes).map(
      (change) => `drop trigger ${triggerName(table, change)}${engine === "postgres" ? ` on ${table}` : ""}`,
    ),
  );
  const statements = [...former, ...keepScreens(engine, [...screens, choices], { ...sources, ...further })];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Is a row of `config` about a list that has the posts of its members alone? */
function isExclusive(row: string): string {
  return `(${row}.cat = 'mastodon.exclusive')`;
}

/** Is a row of `abconfig` about what of somebody's posts the channel wants? */
function isChoice(row: string): string {
  return `(${row}.cat = 'mastodon' and ${row}.k in ('reblogs', 'languages'))`;
}

const choices = `case when exists (select 1 from config c where c.uid = channel.channel_id and ${isExclusive("c")})
  or exists (select 1 from abconfig c where c.chan = channel.channel_id and ${isChoice("c")}) then 128 else 0 end`;

/** Values do not matter: what is usual has no row. */
const further = {
  config: {
    uid: "uid",
    changes: {
      insert: { when: isExclusive("new") },
      update: { of: " of cat", when: `${isExclusive("old")} <> ${isExclusive("new")}` },
      delete: { when: isExclusive("old") },
    },
  },
  abconfig: {
    uid: "chan",
    changes: {
      insert: { when: isChoice("new") },
      update: { of: " of cat, k", when: `${isChoice("old")} <> ${isChoice("new")}` },
      delete: { when: isChoice("old") },
    },
  },
};
