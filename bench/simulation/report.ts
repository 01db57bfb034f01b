import { costs, kinds, mix, points } from "./measured.ts";
import type { Point } from "./measured.ts";
import { most, simulate } from "./simulate.ts";
import type { City, Outcome } from "./simulate.ts";

/** What was measured beside what comes out of the simulation for the same. */
export function compared(point: Point, seconds: number): Outcome & { difference: number } {
  const { processes, connections, others, sent } = point;
  const city = { machines: 1, cores: 2, processes, databaseCores: 0 };
  const outcome = simulate(city, { mix: sent === "mix" ? mix : { [sent]: 1 }, connections, others }, seconds);
  return { ...outcome, difference: outcome.perSecond / point.perSecond - 1 };
}

/** The table of what requests cost. */
export function costTable(): string {
  const rows = kinds.map((kind) => {
    const { bytes, behind, ...own } = costs[kind];
    const each = [own, behind].flatMap(({ hub, database, statements }) => [hub, database, Math.round(statements)]);
    return [kind, ...each, bytes, mix[kind]];
  });
  const each = ["hub, ms", "PostgreSQL, ms", "statements"];
  const head = ["Request", ...each, ...each.map((figure) => `behind it: ${figure}`), "bytes", "in the mix"];
  return table(head, rows);
}

/** The table of what was measured and what is simulated. */
export function pointTable(seconds: number): string {
  const rows = points.map((point) => {
    const { perSecond, p50, p99, difference } = compared(point, seconds);
    return [
      point.processes,
      point.sent,
      Math.round(point.perSecond),
      Math.round(perSecond),
      percent(difference),
      `${time(point.p50)}, ${time(point.p99)}`,
      `${time(p50)}, ${time(p99)}`,
    ];
  });
  const head = [
    "Processes",
    "Request",
    "a second, measured",
    "simulated",
    "difference",
    "p50, p99 measured (ms)",
    "simulated (ms)",
  ];
  return table(head, rows);
}

/** Parts of what the model says is the most, for which a city is simulated. */
const parts = [0.5, 0.8, 0.95];

/** The table of what these hold. */
export function cityTable(cities: readonly City[], seconds: number): string {
  const rows = cities.flatMap((city) => {
    const bounds = most(city, mix);
    const bound = Math.min(bounds.hub, bounds.database);
    return parts.map((part) => {
      const found = simulate(city, { mix, perSecond: part * bound }, seconds);
      const { machines, cores, databaseCores } = city;
      return [
        `${machines} × ${cores}`,
        databaseCores || "the same",
        Math.round(bound),
        bounds.hub < bounds.database ? "hub" : "PostgreSQL",
        Math.round(found.perSecond),
        `${time(found.p50)}, ${time(found.p99)}`,
        time(found.behind99),
        `${share(found.hub)}, ${share(found.database)}`,
      ];
    });
  });
  const head = [
    "Machines × cores",
    "cores of PostgreSQL",
    "the most",
    "full first",
    "answered",
    "p50, p99 (ms)",
    "all done, p99 (ms)",
    "hub, PostgreSQL at work",
  ];
  return table(head, rows);
}

function table(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function percent(part: number): string {
  return `${part < 0 ? "−" : "+"}${Math.round(Math.abs(part) * 100)} %`;
}

function share(part: number): string {
  return `${Math.round(part * 100)} %`;
}

function time(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : String(Math.round(milliseconds));
}
