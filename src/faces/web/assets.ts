import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Hono } from "hono";
import { namesIn, recordOf } from "../../record-of.ts";

const files = {
  "hubbub.css": "text/css; charset=utf-8",
  "hubbub.js": "text/javascript; charset=utf-8",
  "logo.svg": "image/svg+xml",
  "logo-64.png": "image/png",
} as const;

type Name = keyof typeof files;

/** Addresses that others know: of browsers, and the logo that `compat/config` names. */
const fixed: Readonly<Partial<Record<Name, readonly string[]>>> = {
  "logo.svg": ["/favicon.ico", "/favicon.svg"],
  "logo-64.png": ["/assets/logo-64.png"],
};

/** The address of each file; it changes with its content, so that browsers may keep it for ever. */
export type Assets = Readonly<Record<Name, string>>;

/** Reads the files and puts them on the app. */
export function mountAssets(app: Hono): Assets {
  return recordOf(namesIn(files), (name) => {
    const bytes = readFileSync(new URL(`./assets/${name}`, import.meta.url));
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
    const url = `/assets/${digest}-${name}`;
    app.get(url, () => new Response(bytes, { headers: headersOf(name) }));
    const forADay = { ...headersOf(name), "cache-control": "public, max-age=86400" };
    for (const path of fixed[name] ?? []) app.get(path, () => new Response(bytes, { headers: forADay }));
    return url;
  });
}

function headersOf(name: Name): Record<string, string> {
  return {
    "content-type": files[name],
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  };
}
