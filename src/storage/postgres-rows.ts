import type pg from "pg";
import { rowMaker } from "./row-shape.ts";
import type { RowMaker } from "./row-shape.ts";

/** How the rows of a statement are read: what reads each column, and what makes a row of them. */
type Shape = { readers: ((text: string) => unknown)[]; rowOf: RowMaker };

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
type QueryClass = new (text: string, values: unknown[], callback: Callback) => Query;
type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/** A prepared statement with the values that it is run with. */
type Statement = { text: string; name: string; values: unknown[] };

/** Runs prepared statements of one connection. */
export type Prepared = (statement: Statement, callback: Callback) => pg.Query;

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

    /** The library would copy an object that says all of it, descriptor by descriptor, which costs a tenth of sending a statement. */
    constructor({ text, name, values }: Statement, callback: Callback) {
      super(text, values, callback);
      this.name = name;
    }

    override prepare(connection: Connection): void {
      this.#shape = shapes.get(this.name);
      super.prepare(this.#shape ? withoutDescription(connection) : connection);
    }

    override handleRowDescription({ fields }: { fields: Field[] }): void {
      const readers = fields.map(({ dataTypeID }) => readerOf(dataTypeID));
      this.#shape = { readers, rowOf: rowMaker(fields.map(({ name }) => name)) };
      shapes.set(this.name, this.#shape);
    }

    handleDataRow({ fields }: { fields: (string | null)[] }): void {
      const { readers, rowOf } = this.#shape!;
      const values: unknown[] = fields;
      for (let at = 0; at < fields.length; at++) {
        const text = fields[at]!;
        if (text !== null) values[at] = readers[at]!(text);
      }
      this._result.rows.push(rowOf(values));
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

  return (statement, callback) => new PreparedQuery(statement, callback);
}
