import type { Endpoint, Method } from "./endpoint.ts";
import type { Format } from "./exchange.ts";
import { methodsOf } from "./endpoint.ts";
import type { Face, Place } from "./face.ts";
import { prepareInput } from "./input.ts";
import type { InPath, InputReader } from "./input.ts";
import { PathPatterns } from "./path-patterns.ts";
import { cleanText } from "./text.ts";

/** One row under one of its paths, ready to be called. */
export type Route = { face: Face; row: Endpoint; place: Place; methods: readonly Method[]; input: InputReader };

/** The rows of one path; more than one when their methods differ. */
export type Spot = { routes: Route[]; allow: string };

export type RouteTable = { faces: readonly Face[]; spots: Map<string, Spot>; patterns: PathPatterns<Spot> };

export type Found = InPath & { face: Face; format: Format; spot: Spot | undefined };

const formats = ["json", "xml", "rss", "atom"] as const satisfies readonly Format[];

/** All paths of all faces in one map, so that finding an endpoint costs a look-up whatever their number. */
export function routeTable(faces: readonly Face[]): RouteTable {
  const spots = new Map<string, Spot>();
  const patterns = new PathPatterns<Spot>();
  for (const face of faces) {
    for (const row of face.rows) {
      const input = prepareInput(row, face);
      for (const place of face.places(row))
        addRoute(spots, { face, row, place, input, methods: methodsOf(row, place.alias) });
    }
  }
  for (const [path, spot] of spots) if (path.includes("/:")) patterns.add(path, spot);
  return { faces, spots, patterns };
}

/** The endpoint that a path names, with its format and what stands in the place of an id. */
export function findRoute(table: RouteTable, path: string): Found {
  const face = faceOf(table.faces, path.replace(/^\/+/, "/"));
  const { name, format } = splitFormat(normalise(path, face));
  const spot = table.spots.get(name);
  const found = spot ? { spot, pathId: undefined, named: {} } : (withPathId(table, name) ?? withNames(table, name));
  if (!found?.spot.routes.some(({ row }) => (row.formats ?? face.formats).includes(format)))
    return { face, format, spot: undefined, pathId: found?.pathId, named: {} };
  return { face, format, ...found };
}

function addRoute(spots: Map<string, Spot>, route: Route): void {
  const spot = spots.get(route.place.path) ?? { routes: [], allow: "" };
  const clash = spot.routes.find((other) => other.methods.some((method) => route.methods.includes(method)));
  if (clash) throw new Error(`Two endpoints share ${route.place.path}: ${clash.row.path} and ${route.row.path}`);
  spot.routes.push(route);
  spot.allow = [...new Set(spot.routes.flatMap(({ methods }) => methods)), "OPTIONS"].join(", ");
  spots.set(route.place.path, spot);
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

function normalise(path: string, face: Face): string {
  const merged = face.mergeSlashes && path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
  return merged.endsWith("/") ? merged.slice(0, -1) : merged;
}

function splitFormat(path: string): { name: string; format: Format } {
  const dot = path.lastIndexOf(".");
  if (dot > path.lastIndexOf("/")) {
    const suffix = path.slice(dot + 1);
    const format = formats.find((name) => name === suffix);
    if (format) return { name: path.slice(0, dot), format };
  }
  return { name: path, format: "json" };
}

type Spotted = InPath & { spot: Spot };

function withPathId(table: RouteTable, name: string): Spotted | undefined {
  const slash = name.lastIndexOf("/");
  const spot = slash > 0 ? table.spots.get(name.slice(0, slash)) : undefined;
  if (!spot?.routes.some(({ row }) => row.pathId !== undefined)) return undefined;
  return { spot, pathId: decodeSegment(name.slice(slash + 1)), named: {} };
}

function withNames({ patterns }: RouteTable, name: string): Spotted | undefined {
  const found = patterns.find(name);
  if (!found) return undefined;
  const named = [...found.named].map(([key, segment]) => [key, decodeSegment(segment)]);
  return { spot: found.value, pathId: undefined, named: Object.fromEntries(named) as InPath["named"] };
}

function decodeSegment(segment: string): string {
  try {
    return cleanText(decodeURIComponent(segment));
  } catch {
    return cleanText(segment);
  }
}
