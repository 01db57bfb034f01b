import type { Endpoint, Method } from "./endpoint.ts";
import type { Format } from "./exchange.ts";
import { methodsOf } from "./endpoint.ts";
import { formatsOf, rowsOf } from "./face.ts";
import type { Face, EndpointPath } from "./face.ts";
import { prepareInput } from "./input.ts";
import type { InPath, InputReader } from "./input.ts";
import { PathPatterns } from "./path-patterns.ts";
import { cleanText } from "./text.ts";

/** One row under one of its paths, ready to be called. */
export type Route = {
  face: Face;
  row: Endpoint;
  endpointPath: EndpointPath;
  methods: readonly Method[];
  input: InputReader;
};

/** The rows of one path; more than one when their methods differ. */
export type PathEntry = { routes: Route[]; allow: string };

/** All paths of a face in one map, so that finding an endpoint costs a look-up whatever their number. */
type RouteTable = { entries: Map<string, PathEntry>; patterns: PathPatterns<PathEntry> };

export type Found = InPath & { face: Face; format: Format; entry: PathEntry | undefined };

const formats = ["json", "xml", "rss", "atom"] as const satisfies readonly Format[];

/** What the paths of faces lead to. The endpoints of each are loaded with the first request for one of them. */
export class Routes {
  readonly #faces: readonly Face[];
  readonly #tables = new Map<Face, Promise<RouteTable>>();

  constructor(faces: readonly Face[]) {
    this.#faces = faces;
  }

  /** The endpoint that a path names, with its format and what stands in the place of an id. */
  async find(path: string): Promise<Found> {
    const face = faceOf(this.#faces, mergeSlashes(path));
    return findRoute(await this.#tableOf(face), face, path);
  }

  #tableOf(face: Face): Promise<RouteTable> {
    const table = this.#tables.get(face) ?? loadTable(face);
    this.#tables.set(face, table);
    return table;
  }
}

async function loadTable(face: Face): Promise<RouteTable> {
  const entries = new Map<string, PathEntry>();
  const patterns = new PathPatterns<PathEntry>();
  for (const row of await rowsOf(face)) {
    const input = prepareInput(row, face);
    for (const endpointPath of face.paths(row))
      addRoute(entries, { face, row, endpointPath, input, methods: methodsOf(row, endpointPath.alias) });
  }
  for (const [path, entry] of entries) if (path.includes("/:")) patterns.add(path, entry);
  return { entries, patterns };
}

/** Control characters in percent. */
const control = /%[01][\da-f]/i;

function findRoute(table: RouteTable, face: Face, path: string): Found {
  if (face.refusesNul && control.test(path))
    return { face, format: "json", entry: undefined, pathId: undefined, named: {} };
  const { name, format } = splitFormat(normalise(path, face), face);
  const entry = table.entries.get(name);
  const found = entry ? { entry, pathId: undefined, named: {} } : (withPathId(table, name) ?? withNames(table, name));
  if (!found?.entry.routes.some(({ row }) => formatsOf(face, row).includes(format)))
    return { face, format, entry: undefined, pathId: found?.pathId, named: {} };
  return { face, format, ...found };
}

function addRoute(entries: Map<string, PathEntry>, route: Route): void {
  const entry = entries.get(route.endpointPath.path) ?? { routes: [], allow: "" };
  const clash = entry.routes.find((other) => other.methods.some((method) => route.methods.includes(method)));
  if (clash) throw new Error(`Two endpoints share ${route.endpointPath.path}: ${clash.row.path} and ${route.row.path}`);
  entry.routes.push(route);
  entry.allow = [...new Set(entry.routes.flatMap(({ methods }) => methods)), "OPTIONS"].join(", ");
  entries.set(route.endpointPath.path, entry);
}

function faceOf(faces: readonly Face[], path: string): Face {
  let best = faces[0]!;
  let length = -1;
  for (const face of faces) {
    for (const prefix of face.prefixes) {
      if (prefix.length > length && startsAt(path, prefix)) [best, length] = [face, prefix.length];
    }
  }
  return best;
}

function startsAt(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path.charCodeAt(prefix.length) === 47);
}

function mergeSlashes(path: string): string {
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
}

function normalise(path: string, face: Face): string {
  const merged = face.mergeSlashes ? mergeSlashes(path) : path;
  return merged.endsWith("/") ? merged.slice(0, -1) : merged;
}

function splitFormat(path: string, { formats: known }: Face): { name: string; format: Format } {
  if (known.length === 0) return { name: path, format: "json" };
  const dot = path.lastIndexOf(".");
  if (dot > path.lastIndexOf("/")) {
    const suffix = path.slice(dot + 1);
    const format = formats.find((name) => name === suffix);
    if (format) return { name: path.slice(0, dot), format };
  }
  return { name: path, format: "json" };
}

type FoundEntry = InPath & { entry: PathEntry };

function withPathId(table: RouteTable, name: string): FoundEntry | undefined {
  const slash = name.lastIndexOf("/");
  const entry = slash > 0 ? table.entries.get(name.slice(0, slash)) : undefined;
  if (!entry?.routes.some(({ row }) => row.pathId !== undefined)) return undefined;
  return { entry, pathId: decodeSegment(name.slice(slash + 1)), named: {} };
}

function withNames({ patterns }: RouteTable, name: string): FoundEntry | undefined {
  const found = patterns.find(name);
  if (!found) return undefined;
  const named = [...found.named].map(([key, segment]) => [key, decodeSegment(segment)]);
  return { entry: found.value, pathId: undefined, named: Object.fromEntries(named) as InPath["named"] };
}

function decodeSegment(segment: string): string {
  try {
    return cleanText(decodeURIComponent(segment));
  } catch {
    return cleanText(segment);
  }
}
