import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/**
 * What everybody who is shown a channel needs of its settings, beside its row, where pages that name many people find it without a look
 * for each: `channel_shown` has them in JSON, by family and key, and `channel_open` the bits of what it lets everybody read (decision 139).
 * The database itself keeps both true, whoever writes the settings.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = engine === "postgres" ? 'text collate "C"' : "text";
  const statements = [
    `alter table channel add column channel_open integer not null default 0`,
    `alter table channel add column channel_shown ${text} not null default '{}'`,
    `update channel set ${asSettingsSay(engine)}`,
    ...(engine === "postgres" ? postgresTriggers : sqliteTriggers),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const shownCats = "'system', 'mastodon'";
const shownKeys = "'permissions_role', 'channel_kind', 'autoperms', 'short_fields', 'successor', 'who_may_quote'";
const bits =
  "when 'view_stream' then 1 when 'view_profile' then 2 when 'view_contacts' then 8 when 'view_storage' then 4096 when 'view_pages' then 16384";

/** Is a row of `config` one of those that are told? */
function isTold(row: string): string {
  return `(${row}.cat = 'perm_limits' or (${row}.cat in (${shownCats}) and ${row}.k in (${shownKeys})))`;
}

/** Sums and texts that are the same on both engines, so that a backup of one and of the other are as well. */
function asSettingsSay(engine: Engine): string {
  const inOrder = "order by c.cat, c.k";
  const object =
    engine === "postgres"
      ? `'{' || string_agg(to_json(c.cat || ' ' || c.k)::text || ':' || to_json(c.v)::text, ',' ${inOrder}) || '}'`
      : `json_group_object(c.cat || ' ' || c.k, c.v ${inOrder})`;
  return `channel_open = coalesce((select sum(case c.k ${bits} else 0 end) from config c
      where c.uid = channel.channel_id and c.cat = 'perm_limits' and c.v = '1'), 0),
    channel_shown = coalesce((select ${object} from config c
      where c.uid = channel.channel_id and c.cat in (${shownCats}) and c.k in (${shownKeys})), '{}')`;
}

const sqliteTriggers = (
  [
    ["insert", "new"],
    ["update", "new"],
    ["delete", "old"],
  ] as const
).map(
  ([change, row]) => `create trigger channel_shows_${change} after ${change} on config when ${isTold(row)} begin
    update channel set ${asSettingsSay("sqlite")} where channel_id = ${row}.uid; end`,
);

/** The channels are locked first, so that of two who change settings of one the second sees what the first has written. */
const postgresTriggers = [
  `create or replace function channel_shows() returns trigger language plpgsql as $$
    declare channels bigint[] := array(select distinct row.uid from changed row where ${isTold("row")}); begin
    if cardinality(channels) = 0 then return null; end if;
    perform 1 from channel where channel_id = any(channels) order by channel_id for no key update;
    update channel set ${asSettingsSay("postgres")} where channel_id = any(channels);
    return null; end $$`,
  ...(["insert", "update", "delete"] as const).map(
    (change) => `create trigger channel_shows_${change} after ${change} on config
      referencing ${change === "delete" ? "old" : "new"} table as changed
      for each statement execute function channel_shows()`,
  ),
];
