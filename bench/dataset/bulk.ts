import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { DatabaseSettings } from "../../src/config/database.ts";

export type Value = string | number;

/** A way into the tables that knows nothing of the domain: whole rows, in the order of `columns`. */
export type Bulk = {
  table(name: string, columns: readonly string[]): { add(row: readonly Value[]): void };
  /** Hands on what has been gathered. Call it now and then. */
  flush(): Promise<void>;
  run(statement: string): Promise<void>;
  /** Writes the rest, puts the indexes back and brings sequences and statistics up to date. */
  finish(): Promise<void>;
};

/** Triggers that keep the search index row by row; it is filled at the end. */
const triggers = "search_%";
const ofMessages = "search_message_added";

const indexed = [
  "search",
  "message",
  "item",
  "term",
  "iconfig",
  "notify",
  "abook",
  "abconfig",
  "pgrp_member",
  "attach",
];

/** Opens a database for filling; its indexes are away until `finish`, because building them at the end is quicker. */
export async function openBulk(settings: DatabaseSettings): Promise<Bulk> {
  return settings.engine === "sqlite" ? sqliteBulk(settings.file) : postgresBulk(settings.url);
}

function sqliteBulk(file: string): Bulk {
  const db = new DatabaseSync(file);
  // The write-ahead log can only be left for a journal, and only a journal can be done without.
  for (const pragma of ["journal_mode = delete", "journal_mode = off", "synchronous = off", "cache_size = -400000"])
    db.exec(`pragma ${pragma}`);
  const list = indexed.map((name) => `'${name}'`).join(", ");
  const indexes = db
    .prepare(`select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${list})`)
    .all();
  for (const { name } of indexes) db.exec(`drop index "${String(name)}"`);
  const known = db.prepare("select name, sql from sqlite_master where type = 'trigger' and name like ?").all(triggers);
  for (const { name } of known) db.exec(`drop trigger "${String(name)}"`);
  db.exec("begin");
  return {
    table(name, columns) {
      const places = columns.map(() => "?").join(", ");
      const statement = db.prepare(`insert into "${name}" (${columns.join(", ")}) values (${places})`);
      return { add: (row) => void statement.run(...row) };
    },
    flush: () => Promise.resolve(),
    run: (statement) => Promise.resolve(db.exec(statement)),
    finish() {
      for (const { sql } of indexes) db.exec(String(sql));
      db.exec(wholeIndex(String(known.find(({ name }) => name === ofMessages)!["sql"])));
      for (const { sql } of known) db.exec(String(sql));
      db.exec("commit");
      db.exec("pragma journal_mode = wal");
      db.close();
      return Promise.resolve();
    },
  };
}

/** What the trigger of a new message writes into the search index, for all messages at once. */
function wholeIndex(trigger: string): string {
  const [, statement] = /begin\s+([^;]*);/.exec(trigger)!;
  return statement!.replace("i.message_id = new.id", "m.words <> ''");
}

/** Ids that share a row of the search index's ranges. */
const rangeOfSearch = 1 << 15;

async function postgresBulk(url: string): Promise<Bulk> {
  const clients = await Promise.all([1, 2, 3, 4].map(() => openClient(url)));
  const [client] = clients as [pg.Client];
  const found = await client.query<{ indexname: string; indexdef: string }>(
    "select indexname, indexdef from pg_indexes where tablename = any($1) and indexname not like '%_pkey'",
    [indexed],
  );
  for (const { indexname } of found.rows) await client.query(`drop index "${indexname}"`);
  for (const table of ["message", "item"]) await client.query(`alter table ${table} disable trigger user`);
  const waiting = new Map<string, { columns: readonly string[]; lines: string[] }>();
  /** Rows are on their way to the server while the next ones are made. */
  let sending: Promise<unknown> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await sending;
    const copies = [...waiting].filter(([, { lines }]) => lines.length > 0);
    sending = inParallel(
      clients,
      copies.map(([name, { columns, lines }]) => {
        const text = lines.splice(0).join("");
        return (client) => copyIn(client, `copy "${name}" (${columns.join(", ")}) from stdin`, text);
      }),
    );
  };
  return {
    table(name, columns) {
      const lines = waiting.get(name)?.lines ?? [];
      waiting.set(name, { columns, lines });
      return { add: (row) => void lines.push(`${row.map(copyField).join("\t")}\n`) };
    },
    flush,
    async run(statement) {
      await sending;
      await client.query(statement);
    },
    async finish() {
      await flush();
      await sending;
      await client.query("analyze item, message");
      const { rows } = await client.query<{ last: number }>("select coalesce(max(id), 0)::int as last from item");
      const ranges = Array.from(
        { length: Math.ceil((rows[0]!.last + 1) / rangeOfSearch) },
        (_, n) => n * rangeOfSearch,
      );
      // It is planned for a few at a time (migration 0115).
      const planned = (how: string) => client.query(`alter function search_add(bigint[]) set plan_cache_mode = ${how}`);
      await planned("auto");
      await inParallel(
        clients,
        ranges.map(
          (from) => (client) =>
            client.query("select search_add(array(select id from item where id >= $1 and id < $2))", [
              from,
              from + rangeOfSearch,
            ]),
        ),
      );
      await planned("force_generic_plan");
      await inParallel(
        clients,
        found.rows.map(
          ({ indexdef }) =>
            (client) =>
              client.query(indexdef),
        ),
      );
      for (const table of ["message", "item"]) await client.query(`alter table ${table} enable trigger user`);
      for (const [table, column] of [
        ["message", "id"],
        ["item", "id"],
        ["term", "tid"],
        ["notify", "id"],
        ["abook", "abook_id"],
      ]) {
        await client.query(
          `select setval(pg_get_serial_sequence('${table}', '${column}'), (select coalesce(max(${column}), 1) from ${table}))`,
        );
      }
      await client.query("vacuum analyze");
      await Promise.all(clients.map((one) => one.end()));
    },
  };
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '1GB'");
  return client;
}

/** Does all of it, as much at once as there are connections. */
async function inParallel(clients: pg.Client[], works: ((client: pg.Client) => Promise<unknown>)[]): Promise<void> {
  const left = works.values();
  await Promise.all(
    clients.map(async (client) => {
      for (const work of left) await work(client);
    }),
  );
}

function copyField(value: Value): string {
  if (typeof value === "number") return String(value);
  return value.replace(/[\\\t\n\r]/g, (found) => copyEscapes[found]!);
}

const copyEscapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

type CopyConnection = { query(text: string): void; sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

/** Sends rows by the COPY protocol, through the hooks that the client has for it. */
function copyIn(client: pg.Client, statement: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const submittable = {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(Buffer.from(text));
        connection.endCopyFrom();
      },
      handleError: reject,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
    };
    client.query(submittable as unknown as pg.Submittable);
  });
}
