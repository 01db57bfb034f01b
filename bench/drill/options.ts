import { parseArgs } from "node:util";
import type { FaultName } from "./faults.ts";
import { faultNames } from "./faults.ts";

/** What a drill was asked to do. */
export type Options = {
  /** In the order in which they come. */
  cases: readonly FaultName[];
  posts: number;
  pictures: number;
  reads: number;
  inbox: number;
  processes: number;
  every: number;
  away: number;
  gone: number;
};

const usage = `npm run drill -- [options]
  --case NAME    only this fault; may be repeated: ${faultNames.join(", ")}
  --posts N      posts of people in a second (10)
  --pictures N   posts with a picture in a second (1)
  --reads N      home timelines that people read in a second (100)
  --inbox N      signed posts of another server in a second (50)
  --processes N  processes of the hub (2)
  --every N      seconds from one fault to the next (15)
  --away N       seconds for which PostgreSQL is away (3)
  --gone N       seconds for which S3, room on the disk and names are gone (60)
`;

const usual = {
  posts: "10",
  pictures: "1",
  reads: "100",
  inbox: "50",
  processes: "2",
  every: "15",
  away: "3",
  gone: "60",
};

/** Reads the command line. Throws where it cannot be read. */
export function readOptions(): Options {
  const named = Object.entries(usual).map(([name, value]) => [name, { type: "string", default: value }] as const);
  const { values } = parseArgs({
    options: { ...Object.fromEntries(named), case: { type: "string", multiple: true, default: [] } },
  });
  const number = (name: keyof typeof usual): number => {
    const value = Number((values as Record<string, unknown>)[name]);
    if (!(value > 0 && value <= 1000)) throw new Error(`--${name} takes a number up to 1000.\n\n${usage}`);
    return value;
  };
  const asked = values.case;
  const unknown = asked.find((name) => !faultNames.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`There is no case ${unknown}.\n\n${usage}`);
  return {
    cases: faultNames.filter((name) => asked.length === 0 || asked.includes(name)),
    posts: number("posts"),
    pictures: number("pictures"),
    reads: number("reads"),
    inbox: number("inbox"),
    processes: number("processes"),
    every: number("every"),
    away: number("away"),
    gone: number("gone"),
  };
}
