import { isIP } from "node:net";
import { isPrivateHost } from "../fetch/private-hosts.ts";
import { isOn, refuse, text } from "./read.ts";
import type { Environment } from "./read.ts";
import type { SettingName } from "./settings.ts";

/** Where the hub is found, by its own port where nobody says. */
export function baseUrl(env: Environment, port: number): URL {
  const found = env["HUBBUB_BASE_URL"]?.trim() || `http://localhost:${port}`;
  const url = URL.canParse(found) ? new URL(found) : undefined;
  const plain =
    url && (url.protocol === "https:" || url.protocol === "http:") && url.pathname === "/" && !url.search && !url.hash;
  return plain ? url : refuse("HUBBUB_BASE_URL", found, "an http or https address without a path");
}

/** Who is reached from everywhere may not be led into the network that it stands in. */
export function allowsPrivate(env: Environment, base: URL): boolean {
  const allows = isOn(env, "HUBBUB_ALLOW_PRIVATE");
  if (allows && !isPrivateHost(base.hostname))
    refuse("HUBBUB_ALLOW_PRIVATE", "on", `off, because ${base.host} is public`);
  return allows;
}

/** Hosts and networks with commas between. */
export function networks(env: Environment, name: SettingName): readonly string[] {
  const found = text(env, name).toLowerCase();
  const entries = found === "none" ? [] : found.split(/[\s,]+/).filter((entry) => entry !== "");
  if (!entries.every(isHostOrNetwork)) refuse(name, found, "host names, addresses or networks, with commas between");
  return Object.freeze(entries);
}

function isHostOrNetwork(entry: string): boolean {
  const [address = "", length = "", ...more] = entry.split("/");
  if (more.length > 0) return false;
  if (!entry.includes("/")) return isIP(entry) !== 0 || (/^[a-z0-9_.-]+$/.test(entry) && !/^[0-9.]+$/.test(entry));
  return isIP(address) !== 0 && /^\d{1,3}$/.test(length) && Number(length) <= (isIP(address) === 4 ? 32 : 128);
}

/** An address of the web; undefined for none. */
export function webUrl(env: Environment, name: SettingName): string | undefined {
  const found = text(env, name);
  if (found === "none") return undefined;
  return /^https?:$/.test(URL.parse(found)?.protocol ?? "") ? found : refuse(name, found, "an http or https address");
}
