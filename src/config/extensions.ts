import { resolve } from "node:path";
import { refuse, text } from "./read.ts";
import type { Environment } from "./read.ts";

/** The extensions that are named; commands ask for these alone. What begins with a slash or a point is a file or folder. */
export function readExtensions(env: Environment): readonly string[] {
  const found = text(env, "HUBBUB_EXTENSIONS");
  const places = found === "none" ? [] : found.split(",").map((place) => place.trim());
  if (!places.every((place) => /^(?:[./]|(?:@[a-z0-9._~-]+\/)?[a-z0-9_~-][a-z0-9._~-]*$)/.test(place)))
    refuse("HUBBUB_EXTENSIONS", found, "names of packages, folders or modules, with commas between");
  return Object.freeze(places.map((place) => (/^[./]/.test(place) ? resolve(place) : place)));
}
