import { parseArgs } from "node:util";
import type { Engine } from "../src/storage/engine.ts";

/** What a run of the bench was asked to do. */
export type Options = {
  messages: number;
  channels: number;
  /** How many local connections a much-read channel has. */
  readers: number;
  engines: Engine[];
  /** Names of cases; all of them when empty. */
  cases: string[];
  /** How long each side of a case is measured, in all rounds together. */
  seconds: number;
  rounds: number;
  connections: number;
  json: string | undefined;
  /** Measure what must scale on a data set ten times as large, too. */
  scale: boolean;
  /** Each thing once and as short as can be: to see that it works, since such figures mean nothing. */
  brief: boolean;
  /** Make the data set anew. */
  fresh: boolean;
  /** Folder for the hub's CPU profiles, made in a round of its own. */
  profile: string | undefined;
};

const usage = `npm run bench -- [options]
  --messages N     messages of the data set (100000)
  --channels N     channels of the data set (200)
  --readers N      local connections of a much-read channel (500)
  --engine NAME    sqlite, postgres or both (both)
  --case NAME      only this case; may be repeated
  --seconds N      how long each side of a case is measured (6)
  --rounds N       in how many turns (3)
  --connections N  requests under way at once (8)
  --json FILE      also write the figures there
  --scale          also measure what must scale on ten times the messages
  --brief          each thing once and as short as can be, to see that it works
  --fresh          make the data set anew
  --profile DIR    also write a CPU profile of the hub for each case
`;

/** Reads the command line; answers the usage text when it cannot be read. */
export function readOptions(args: string[]): Options | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        messages: { type: "string", default: "100000" },
        channels: { type: "string", default: "200" },
        readers: { type: "string", default: "500" },
        engine: { type: "string", default: "both" },
        case: { type: "string", multiple: true, default: [] },
        seconds: { type: "string", default: "6" },
        rounds: { type: "string", default: "3" },
        connections: { type: "string", default: "8" },
        json: { type: "string" },
        scale: { type: "boolean", default: false },
        brief: { type: "boolean", default: false },
        fresh: { type: "boolean", default: false },
        profile: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return usage;
    return {
      messages: whole("messages", values.messages, 100, 10_000_000),
      channels: whole("channels", values.channels, 10, 100_000),
      readers: whole("readers", values.readers, 1, 10_000),
      engines: enginesOf(values.engine),
      cases: values.case,
      seconds: values.brief ? 0.2 : whole("seconds", values.seconds, 1, 600),
      rounds: values.brief ? 1 : whole("rounds", values.rounds, 1, 20),
      connections: whole("connections", values.connections, 1, 256),
      json: values.json,
      scale: values.scale,
      brief: values.brief,
      fresh: values.fresh,
      profile: values.profile,
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`;
  }
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`--${name} takes a number from ${least} to ${most}.`);
  return value;
}

function enginesOf(name: string): Engine[] {
  if (name === "both") return ["sqlite", "postgres"];
  if (name === "sqlite" || name === "postgres") return [name];
  throw new Error("--engine takes sqlite, postgres or both.");
}
