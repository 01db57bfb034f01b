import type { Config } from "../../config/config.ts";
import { cameInTheClear, isFromThisMachine } from "../arrival.ts";
import type { Arrival } from "../arrival.ts";

/**
 * Scheme, host and port that the client may have signed, the likeliest first: the hub's public address, the names by
 * which the request itself calls the hub, and what the operator's own proxy says.
 */
export function* originsOf(arrival: Arrival, config: Config): Generator<string> {
  const { headers, url } = arrival.request;
  const scheme = config.baseUrl.slice(0, config.baseUrl.indexOf(":"));
  yield originOf(scheme, config.baseUrl.slice(scheme.length + 3));
  const host = headers.get("host") ?? new URL(url).host;
  yield originOf(scheme, host);
  if (scheme !== "http") yield originOf("http", host);
  if (!config.trustProxy) return;
  const forwarded = (name: string): string => headers.get(name)?.replace(/,.*$/, "").trim() ?? "";
  const proto = forwarded("x-forwarded-proto") === "https" ? "https" : "http";
  yield originOf(proto, forwarded("x-forwarded-host") || host);
}

/** A secret that is sent as it is needs a connection that nobody can read (microblog contract 6.3). */
export function maySendSecrets(arrival: Arrival, config: Config): boolean {
  if (config.baseUrl.startsWith("https:")) return !cameInTheClear(arrival, config);
  return isLoopback(new URL(config.baseUrl).hostname) && isFromThisMachine(arrival);
}

/** The host in small letters, without the port that goes without saying. */
function originOf(scheme: string, host: string): string {
  return `${scheme}://${host.toLowerCase().replace(scheme === "https" ? /:443$/ : /:80$/, "")}`;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
