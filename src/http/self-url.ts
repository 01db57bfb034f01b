import type { Endpoint } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";
import { baseName } from "./parameters.ts";

/** The address of an answer: what was called, with the parameters that shape it and no others, so no signature and no secret. */
export function selfUrl(exchange: Exchange, query: string, row: Endpoint): string {
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query))
    if (Object.hasOwn(row.input.shape, baseName(name)) || name === "channel") kept.append(name, value);
  const search = kept.toString();
  return `${exchange.baseUrl}${exchange.path}${search === "" ? "" : `?${search}`}`;
}
