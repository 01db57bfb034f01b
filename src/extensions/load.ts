import { readFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, extname, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { ConfigError } from "../config/read.ts";
import { interfaceVersion } from "./extension.ts";
import type { Extension } from "./extension.ts";
import { isThemeValue, themeProperties } from "./theme-sheet.ts";

/**
 * Loads the extensions that the operator names and looks whether they are what they must be. Throws ConfigError, whose sentence
 * says which one is wrong, and how.
 */
export async function loadExtensions(places: readonly string[]): Promise<readonly Extension[]> {
  const extensions: Extension[] = [];
  for (const place of places) extensions.push(check(place, await load(place)));
  const twice = repeated(extensions.map(({ name }) => name));
  if (twice !== undefined) throw new ConfigError(`Two extensions are named ${twice}; name one of them only.`);
  return Object.freeze(extensions);
}

async function load(place: string): Promise<unknown> {
  const file = await moduleOf(place);
  try {
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (error) {
    throw new ConfigError(`The extension ${place} cannot be loaded: ${oneLine(error)}`, { cause: error });
  }
}

/** The module that is meant: a file, or what a folder or package names as its `main`. */
async function moduleOf(place: string): Promise<string> {
  if (isAbsolute(place) && /^\.[cm]?[jt]s$/.test(extname(place))) return place;
  const description = isAbsolute(place) ? join(place, "package.json") : findPackage(place);
  try {
    const { main } = JSON.parse(await readFile(description ?? "", "utf8")) as { main?: unknown };
    return join(dirname(description!), typeof main === "string" ? main : "index.js");
  } catch (error) {
    throw new ConfigError(
      `There is no extension ${place}: a package that is installed beside the hub or in the current folder, a folder with a package.json, or a module.`,
      { cause: error },
    );
  }
}

function findPackage(name: string): string | undefined {
  for (const base of [import.meta.url, pathToFileURL(join(process.cwd(), "package.json"))]) {
    try {
      const found = findPackageJSON(name, base);
      if (found !== undefined) return found;
    } catch {
      // The next place may have it.
    }
  }
  return undefined;
}

const name = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "lower-case letters, digits and hyphens, 40 at most");
const line = z.string().min(1).max(200);
const work = z.custom<() => Promise<unknown>>((value) => typeof value === "function", "a function");
const properties = z.partialRecord(
  z.enum(themeProperties),
  z.string().refine(isThemeValue, "one value that loads nothing"),
);
const meaning = z.strictObject({ meaning: line, value: line.optional(), required: z.boolean().optional() });

const description = z.strictObject({
  interface: z.literal(interfaceVersion),
  name,
  summary: line,
  commands: z
    .array(
      z.strictObject({
        name,
        summary: line,
        arguments: z.record(name, line).optional(),
        options: z.record(name, meaning).optional(),
        run: work,
        print: work.optional(),
      }),
    )
    .refine(...without("name"))
    .optional(),
  jobs: z
    .array(z.strictObject({ name, every: z.number().int().min(60).optional(), run: work }))
    .refine(...without("name"))
    .optional(),
  pages: z
    .array(
      z
        .strictObject({
          path: z.string().regex(/^(?:(?::[a-z]+|[a-z0-9-]+)(?:\/(?::[a-z]+|[a-z0-9-]+))*)?$/, "parts of a path"),
          access: z.enum(["anybody", "reader", "member", "administrator"]),
          menu: z.string().min(1).max(30).optional(),
          get: work.optional(),
          post: work.optional(),
        })
        .refine(({ get, post }) => get ?? post, "it has neither get nor post")
        .refine(
          ({ menu, get, path }) => menu === undefined || (get && !path.includes(":")),
          "a menu leads to no such page",
        ),
    )
    .refine(...without("path"))
    .optional(),
  styles: z.string().max(100_000).optional(),
  themes: z
    .array(z.strictObject({ name, label: line, light: properties, dark: properties }))
    .refine(...without("name"))
    .optional(),
});

function without<K extends string>(key: K): [(rows: Record<K, string>[]) => boolean, string] {
  return [(rows) => repeated(rows.map((row) => row[key])) === undefined, `two have the same ${key}`];
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) < at);
}

function check(place: string, found: unknown): Extension {
  if (typeof found !== "object" || found === null)
    throw new ConfigError(`The extension ${place} has no default export that describes it (docs/extensions.md).`);
  const wanted = (found as { interface?: unknown }).interface;
  if (wanted !== interfaceVersion)
    throw new ConfigError(
      `The extension ${place} is written for version ${String(wanted)} of the interface; this hub has version ${interfaceVersion}.`,
    );
  const { error } = description.safeParse(found);
  if (error) {
    const wrong = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
    throw new ConfigError(`The extension ${place} is not as docs/extensions.md says: ${wrong}`);
  }
  return found as Extension;
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ");
}
