import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Hono } from "hono";
import { acceptedPacking, pack } from "../../http/packing.ts";
import type { Packed, Packing } from "../../http/packing.ts";

/** Types by the ends of names; what has another end stays here. */
const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
};

/** Emoji and the words of their picker, by language. */
const emojiIn = (language: string, words: string): Record<string, readonly [name: string, path: string]> => ({
  [`npm/emoji/${language}.js`]: ["emoji-picker-element", `i18n/${words}.js`],
  [`npm/emoji/${language}.json`]: ["emoji-picker-element-data", `${language}/cldr-native/data.json`],
});

/** The elements that are on most pages of members: browsers ask for them once, as one file. */
const together = [
  "audience",
  "complete",
  "count",
  "emoji",
  "insert",
  "keys",
  "live",
  "look",
  "media",
  "news",
  "people",
  "sketch",
  "upload",
];

/** Files for browsers that others make, by the package that they come from, and the name that our modules import. */
const packages: Readonly<Record<string, readonly [name: string, path: string]>> = {
  "npm/emoji/picker.js": ["emoji-picker-element", "picker.js"],
  "npm/emoji/database.js": ["emoji-picker-element", "database.js"],
  ...emojiIn("en", "en"),
  ...emojiIn("de", "de"),
  ...emojiIn("fr", "fr"),
  ...emojiIn("es", "es"),
  ...emojiIn("pt", "pt_BR"),
  "npm/htmx.js": ["htmx.org", "dist/htmx.esm.min.js"],
  "npm/photoswipe.js": ["photoswipe", "dist/photoswipe.esm.min.js"],
  "npm/photoswipe.css": ["photoswipe", "dist/photoswipe.css"],
  "npm/text-expander.js": ["@github/text-expander-element", "dist/bundle.js"],
};

/**
 * Addresses that others know: of browsers, the logo that `compat/config` names, what applications show for a hub and for a sound, and the cover of
 * those who have none, which applications know by the end of its address.
 */
const fixed: Readonly<Record<string, string>> = {
  "/favicon.ico": "logo.svg",
  "/favicon.svg": "logo.svg",
  "/assets/logo-64.png": "logo-64.png",
  "/assets/thumbnail.png": "icon-512.png",
  "/assets/audio.png": "audio.png",
  "/assets/headers/missing.png": "missing.png",
  // Works for all pages because it lies above them.
  "/service-worker.js": "service-worker.js",
};

const folder = new URL("./assets/", import.meta.url);

/**
 * Puts the files for browsers on the app, and answers the address of the folder in which they are. It changes with their content and the versions of
 * those of others, so that browsers may keep them for ever; inside they find each other by relative addresses. `sheets` are those of extensions.
 */
export function mountAssets(app: Hono, sheets: ReadonlyMap<string, string> = new Map()): string {
  const own = readOwn();
  for (const [name, text] of sheets) own.set(name, Buffer.from(text));
  const digest = createHash("sha256");
  for (const [name, bytes] of own) digest.update(`${name} ${bytes.length}\n`).update(bytes);
  const served = new Map([...own].map(([name, bytes]) => [name, packedOnce(() => bytes)]));
  for (const [name, [from, path]] of Object.entries(packages)) {
    const found = pathToFileURL(findPackageJSON(from, import.meta.url)!);
    digest.update(`${name} ${versionIn(found)}\n`);
    // Two megabytes, most of them words for emoji, which few ask for: they are read for the first who does.
    const place = new URL(path, found);
    served.set(
      name,
      packedOnce(() => readFileSync(place)),
    );
  }
  const base = `/assets/${digest.digest("hex").slice(0, 12)}`;
  const serve = (path: string, name: string, age: string): void => {
    app.get(path, async ({ req }) => {
      const { bytes, headers } = await served.get(name)!(acceptedPacking(req.header("accept-encoding") ?? null));
      return new Response(bytes, { headers: { ...headersOf(name), "cache-control": age, ...headers } });
    });
  };
  for (const name of served.keys()) serve(`${base}/${name}`, name, "public, max-age=31536000, immutable");
  for (const [path, name] of Object.entries(fixed)) serve(path, name, "public, max-age=86400");
  return base;
}

/** Modules as one: what they import, and each of them in a scope of its own. */
function joined(modules: readonly string[]): string {
  const imports = new Set(modules.flatMap((text) => text.match(/^import .*;$/gm) ?? []));
  return [...imports, ...modules.map((text) => `{\n${text.replaceAll(/^import .*;$/gm, "")}}`)].join("\n");
}

/** What a package is at a version stays the same. */
function versionIn(packageFile: URL): string {
  return (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
}

/** Our files, with all styles as one sheet and the usual elements as one module. */
function readOwn(): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => extname(name) in types)
    .toSorted();
  const files = new Map(names.map((name) => [name, readFileSync(new URL(name, folder))]));
  const sheets = names.filter((name) => name.startsWith("styles/"));
  files.set("hubbub.css", Buffer.concat(["hubbub.css", ...sheets].map((name) => files.get(name)!)));
  for (const name of sheets) files.delete(name);
  const usual = together.map((name) => files.get(`elements/hub-${name}.js`)!.toString());
  files.set("elements/together.js", Buffer.from(joined(usual)));
  return files;
}

/** Packs the file when it is first asked for in that form. */
function packedOnce(read: () => Buffer): (packing: Packing | undefined) => Promise<Packed> {
  const forms = new Map<Packing | undefined, Promise<Packed>>();
  return (packing) => {
    const known = forms.get(packing) ?? pack(read(), packing, "most");
    forms.set(packing, known);
    return known;
  };
}

function headersOf(name: string): Record<string, string> {
  return {
    "content-type": types[extname(name)]!,
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
    "content-security-policy": `default-src 'none'; ${name === "service-worker.js" ? "connect-src 'self'" : "style-src 'unsafe-inline'"}`,
  };
}
