import type pg from "pg";

/** How the rows of a statement are read: the names of their columns, and what reads each of these. */
type Shape = { names: string[]; readers: ((text: string) => unknown)[] };

/** Which type the server says a column has. */
export type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

type Field = { name: string; dataTypeID: TypeId };

/** The parts of the library's connection and query that are used here. */
type Connection = { describe(message: unknown): void };
type Query = pg.Query & {
  name: string;
  _result: { rows: unknown[] };
  prepare(connection: Connection): void;
  handleRowDescription(message: { fields: Field[] }): void;
};
type QueryClass = new (config: pg.QueryConfig, callback: Callback) => Query;
type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/** Runs prepared statements of one connection. */
export type Prepared = (config: pg.QueryConfig & { name: string }, callback: Callback) => pg.Query;

/**
 * Makes queries for one connection that ask only once what the columns of a statement are. The library asks each time and
 * reads the rows by what it hears, which takes as long as the rows themselves. What a statement answers never changes as
 * long as it is prepared: the server refuses to run it then.
 */
export function preparedOn(query: typeof pg.Query, readerOf: (type: TypeId) => (text: string) => unknown): Prepared {
  const shapes = new Map<string, Shape>();
  const undescribed = new WeakMap<Connection, Connection>();

  class PreparedQuery extends (query as unknown as QueryClass) {
    #shape: Shape | undefined;

    override prepare(connection: Connection): void {
      this.#shape = shapes.get(this.name);
      super.prepare(this.#shape ? withoutDescription(connection) : connection);
    }

    override handleRowDescription({ fields }: { fields: Field[] }): void {
      const readers = fields.map(({ dataTypeID }) => readerOf(dataTypeID));
      this.#shape = { names: fields.map(({ name }) => name), readers };
      shapes.set(this.name, this.#shape);
    }

    handleDataRow({ fields }: { fields: (string | null)[] }): void {
      const { names, readers } = this.#shape!;
      const row: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at++) {
        const text = fields[at]!;
        row[names[at]!] = text === null ? null : readers[at]!(text);
      }
      this._result.rows.push(row);
    }
  }

  function withoutDescription(connection: Connection): Connection {
    let known = undescribed.get(connection);
    if (!known) {
      known = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
      undescribed.set(connection, known);
    }
    return known;
  }

  return (config, callback) => new PreparedQuery(config, callback);
}
