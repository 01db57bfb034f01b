import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

/**
 * Most channels have neither filters nor anybody whom they do not want to hear, and their lists need not look for what these would leave
 * out: `channel_screens` has the bits of what there is (decision 146). The database itself keeps it true, whoever writes the rows.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements = [
    "alter table channel add column channel_screens integer not null default 0",
    ...keepScreens(engine, screens, sources),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Is a row of `abook` about somebody unwanted? Word for word as the index `abook_unwanted` says it. */
function isUnwanted(row: string): string {
  return `(${row}.abook_blocked = 1 or ${row}.abook_ignored = 1 or ${row}.abook_shut_out = 1)`;
}

const filters = "from filter f where f.uid = channel.channel_id and f.ended = 0";
const contexts = { home: 2, notifications: 4, public: 8, thread: 16, account: 32 };

export const screens = [
  `case when exists (select 1 ${filters}) then 1 else 0 end`,
  ...Object.entries(contexts).map(
    ([context, bit]) =>
      `case when exists (select 1 ${filters} and f.action = 'hide' and f.at_${context} = 1) then ${bit} else 0 end`,
  ),
  `case when exists (select 1 from abook a where a.abook_channel = channel.channel_id and ${isUnwanted("a")})
    or exists (select 1 from host_block hb where hb.uid = channel.channel_id) then 64 else 0 end`,
];

/** Statements that write the sum of these bits, and have the database do so whenever one of the sources changes. */
export function keepScreens(engine: Engine, bits: readonly string[], from: Sources): string[] {
  const sum = bits.join(" + ");
  const update = (where: string) =>
    `update channel set channel_screens = ${sum} where ${where}channel_screens <> ${sum}`;
  // Whoever blocks a thousand people changes the row once.
  const updateOne = (channel: string) => update(`channel_id = ${channel} and `);
  const triggers = engine === "postgres" ? postgresTriggers : sqliteTriggers;
  return [update(""), ...Object.entries(from).flatMap(([table, source]) => triggers(table, source, updateOne))];
}

type Change = { of?: string; when?: string };
type Changes = Partial<Record<"insert" | "update" | "delete", Change>>;
type Source = { uid: string; changes: Changes };
type Sources = Record<string, Source>;

/** The tables that it is made from, and which changes of them it may depend on: rows of `abook` change all the time. */
export const sources: Sources = {
  filter: { uid: "uid", changes: { insert: {}, update: {}, delete: {} } },
  host_block: { uid: "uid", changes: { insert: {}, delete: {} } },
  abook: {
    uid: "abook_channel",
    changes: {
      insert: { when: isUnwanted("new") },
      update: {
        of: " of abook_blocked, abook_ignored, abook_shut_out",
        when: `${isUnwanted("old")} <> ${isUnwanted("new")}`,
      },
      delete: { when: isUnwanted("old") },
    },
  },
};

type Update = (channel: string) => string;

function sqliteTriggers(table: string, { uid, changes }: Source, update: Update): string[] {
  return Object.entries(changes).map(
    ([change, { of = "", when = "1 = 1" }]) =>
      `create trigger ${triggerName(table, change)} after ${change}${of} on ${table} when ${when} begin
        ${update(`${rowOf(change)}.${uid}`)}; end`,
  );
}

/** The channel is locked first, so that of two changes at once the second sees what the first has written. */
function postgresTriggers(table: string, { uid, changes }: Source, update: Update): string[] {
  return Object.entries(changes).flatMap(([change, { of = "", when = "true" }]) => {
    const [name, id] = [triggerName(table, change), `${rowOf(change)}.${uid}`];
    return [
      `create or replace function ${name}() returns trigger language plpgsql as $$ begin
        perform 1 from channel where channel_id = ${id} for no key update;
        ${update(id)};
        return null; end $$`,
      `create trigger ${name} after ${change}${of} on ${table} for each row when (${when}) execute function ${name}()`,
    ];
  });
}

export function triggerName(table: string, change: string): string {
  return `channel_screens_${table}_${change}`;
}

function rowOf(change: string): "old" | "new" {
  return change === "delete" ? "old" : "new";
}
