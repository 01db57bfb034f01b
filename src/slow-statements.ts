import type { Counters } from "./counters.ts";
import type { Log } from "./log.ts";
import type { StatementWatch } from "./storage/statement-watch.ts";

/** Statements of timelines are long, and known by how they begin. */
const mostLogged = 1000;

/** Counts statements, and writes down those that take too long (milliseconds; 0: none), with the row or the job that asked. */
export function watchStatements(counters: Counters, log: Log, tooLong: number): StatementWatch {
  return (statement, doing) => (milliseconds) => {
    counters.statements.add(milliseconds / 1000);
    if (tooLong === 0 || milliseconds < tooLong) return;
    counters.slowStatements++;
    const [ms, asked] = [Math.round(milliseconds), doing || "nobody in particular"];
    log.warning("A statement took {ms} ms for {asked}: {statement}", {
      ms,
      asked,
      // What it is about stands in its parameters, which are written nowhere.
      statement: statement.slice(0, mostLogged),
    });
  };
}
