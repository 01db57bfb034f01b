import type { Exchange } from "../../../http/exchange.ts";

const longestSource = 100;

/**
 * The application that a new status names as its source: what it calls itself, without the link that some clients put
 * around it; else the name under which it was allowed in; else `api`.
 */
export function sourceOf(source: string | undefined, { application }: Exchange): string {
  const name = (source ?? "").replace(/<[^>]*>/g, "").trim();
  return [...name].slice(0, longestSource).join("") || application || "api";
}
