import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { openFetch } from "../../src/fetch/open-fetch.ts";
import type { Fetch } from "../../src/fetch/fetch.ts";
import { openAuthority } from "./authority.ts";
import type { Authority } from "./authority.ts";

/** Hubs and other servers on this machine that talk as on the Internet: by names, over TLS. */

createRequire(import.meta.url)("./names-here.cjs");

/** An authority whose certificates count in this process from now on. */
export function trustedAuthority(): Authority {
  const authority = openAuthority();
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(authority.file, "utf8")]);
  return authority;
}

const here = [{ address: "127.0.0.1", family: 4 }];

/**
 * The way out of a hub with all the rules that hold in operation: https alone, no addresses but names, only certificates that somebody
 * vouches for. Only what the names lead to is this machine.
 */
export function strictFetch(baseUrl: string): Fetch {
  const open = openFetch({
    baseUrl,
    allowPrivate: false,
    clock: () => new Date(),
    resolve: () => Promise.resolve(here),
  });
  return (url, options) => open.fetch(url, { ...options, within: ["127.0.0.1"] });
}
