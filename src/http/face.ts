import type { z } from "zod";
import type { Messages } from "../refusals/messages.ts";
import type { refusals } from "../refusals/refusals.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Format } from "./exchange.ts";
import type { Exchange } from "./exchange.ts";
import type { Failure } from "./exchange.ts";

/** Schemas by the names that rows call them by. */
export type Answers = Readonly<Record<string, z.ZodType>>;

/** One full path of a row, and what being called by it means. */
export type EndpointPath = { path: string; alias: string; version11: boolean };

/** Endpoints that belong together, for the reference. */
export type Area = { title: string; rows: readonly Endpoint[] };

/** How one format is written. */
export type Writer = {
  type: string;
  write(value: unknown, row: Endpoint, exchange: Exchange): string | Promise<string>;
  /** Left out where errors are JSON in this format as well. */
  writeFailure?(body: unknown, exchange: Exchange): string;
  /** The type of errors, where it is not that of answers. */
  failureType?: string;
};

/** The formats that an endpoint answers in; what has no endings of paths is JSON. */
export function formatsOf({ formats }: Pick<Face, "formats">, row: Endpoint): readonly Format[] {
  return row.formats ?? (formats.length === 0 ? ["json"] : formats);
}

/** The endpoints of all areas. */
export async function rowsOf(face: Face): Promise<Endpoint[]> {
  return (await face.areas()).flatMap(({ rows }) => rows);
}

/** One protocol as seen from outside: a table of endpoints and the rules that all of them share. */
export type Face = {
  name: string;
  /** Paths that are this face's, endpoints or not; the longest prefix wins. */
  prefixes: readonly string[];
  /** Loads the endpoints, which all lie below the prefixes. Most hubs are asked by few of their faces. */
  areas(): Promise<readonly Area[]>;
  /** Every full path that leads to the row. */
  paths(row: Endpoint): EndpointPath[];
  /** Formats that a path may end in; a row may name others. Without any, paths end in none, and answers are JSON. */
  formats: readonly Format[];
  writers: Readonly<Partial<Record<Format, Writer>>>;
  /** Text that is not UTF-8: refused, or with U+FFFD in place of what cannot be read. */
  badText: "refuse" | "replace";
  /** NUL in what a row that writes is sent: refused, and paths with control characters lead nowhere; else all of these go. */
  refusesNul: boolean;
  /** A body of a type that nobody can read parameters from: refused, or treated as none; `form`: that of no type is a form. */
  unknownBody: "refuse" | "ignore" | "form";
  /** How names of parameters are read: brackets say no more than that it is a list, or what stands within what (nested.ts). */
  names: "flat" | "nested";
  /** Repeated slashes count as one. */
  mergeSlashes: boolean;
  /** Parameters that have the same meaning under other names everywhere in the face. */
  otherNames: Readonly<Record<string, readonly string[]>>;
  /**
   * A log-in with a nick acts as that channel alone (microblog contract 3.6); else it stands for its account (native contract
   * 1.10).
   */
  nickIsChannel: boolean;
  /** `callback=name` wraps a JSON answer. */
  jsonp: boolean;
  /** Loads the schemas of what the endpoints answer, by name; `Error` is that of every failure. Only the reference needs them. */
  answers(): Promise<Answers>;
  /** The face's words for each refusal of the domain. */
  messages: Messages<typeof refusals>;
  /** Passwords and signatures say who calls, or bearer tokens alone. */
  credentials: "log-in" | "bearer";
  /** Headers of every answer, in place of those of all faces. */
  headers?(exchange: Exchange): Record<string, string>;
  /** Status and body of an error. */
  failure(failure: Failure, exchange: Pick<Exchange, "method" | "path">): { status: number; body: unknown };
};
