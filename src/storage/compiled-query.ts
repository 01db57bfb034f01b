import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import { cache } from "../caches.ts";
import type { HubOfCaches } from "../caches.ts";
import type { Database, Engine } from "./engine.ts";

/** As much of a hub as this needs. */
export type HubOfQueries = HubOfCaches & { db: Database; engine: Engine };

/** By name and slots; rows of every form. */
const statementsOf = cache<string, CompiledQuery>(500);

export type Value = number | string | readonly number[] | readonly string[];

/** Stands in a statement for a value that is known only when the statement runs. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type Slots<Values> = { [Name in keyof Values]: RawBuilder<Exclude<Values[Name], undefined>> };

/** Runs a statement of `compiledQuery` and answers its rows. */
export async function compiled<Values extends Record<string, Value | undefined>, Row>(
  hub: HubOfQueries,
  name: string,
  values: Values,
  build: (slots: Slots<Values>) => { compile(): CompiledQuery<Row> },
): Promise<Row[]> {
  const { rows } = await hub.db.executeQuery<Row>(compiledQuery(hub, name, values, build));
  return rows;
}

/**
 * A statement that is built and compiled once per hub, since for the busiest queries that costs more than running
 * them. `build` gets a slot for each value; what else shapes the statement belongs into `name`. Values that are
 * undefined have no slot, and statements with other slots are other statements.
 */
export function compiledQuery<Values extends Record<string, Value | undefined>, Row>(
  hub: HubOfQueries,
  name: string,
  values: Values,
  build: (slots: Slots<Values>) => { compile(): CompiledQuery<Row> },
): CompiledQuery<Row> {
  const given = Object.keys(values).filter((key) => values[key] !== undefined);
  const statements = statementsOf(hub);
  const key = `${name}: ${given.join(" ")}`;
  let statement = statements.get(key) as CompiledQuery<Row> | undefined;
  if (!statement) {
    const slots = given.map((slot) => [slot, sql`${new Slot(slot)}`]);
    statement = build(Object.fromEntries(slots) as Slots<Values>).compile();
    statements.set(key, statement);
  }
  const parameters = statement.parameters.map((parameter) =>
    parameter instanceof Slot ? encode(hub, values[parameter.name]) : parameter,
  );
  return { ...statement, parameters };
}

/** Lists in the form that `isOneOf` reads. */
function encode(hub: HubOfQueries, value: Value | undefined): unknown {
  return typeof value === "object" && hub.engine === "sqlite" ? JSON.stringify(value) : value;
}
