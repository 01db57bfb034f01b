import type { Hub } from "../../hub.ts";

/**
 * Cookies of the pages: for pages alone, not for scripts, not sent along by other sites' forms. Over https the prefix
 * `__Host-` keeps neighbouring hosts from planting one.
 */

const prefix = (hub: Hub): string => (isSecure(hub) ? "__Host-" : "");

function isSecure(hub: Hub): boolean {
  return hub.config.baseUrl.startsWith("https:");
}

/** The value of a cookie of ours. */
export function readCookie(hub: Hub, request: Request, name: string): string | undefined {
  const wanted = `${prefix(hub)}${name}=`;
  const found = (request.headers.get("cookie") ?? "").split(/;\s*/).find((pair) => pair.startsWith(wanted));
  const value = found?.slice(wanted.length);
  return value !== undefined && /^[\w-]{1,200}$/.test(value) ? value : undefined;
}

/** The header that sets a cookie of ours for so many seconds; until the browser is closed when left out. */
export function writeCookie(hub: Hub, name: string, value: string, seconds?: number): string {
  const age = seconds === undefined ? "" : `; Max-Age=${seconds}`;
  return `${prefix(hub)}${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure(hub) ? "; Secure" : ""}${age}`;
}
