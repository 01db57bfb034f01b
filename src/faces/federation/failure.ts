import { HubError, Overloaded } from "../../errors.ts";
import type { ErrorKind } from "../../refusals/row.ts";
import { jsonDocument, jsonType } from "./document.ts";
import type { Document } from "./document.ts";

const statuses: Partial<Record<ErrorKind, [status: number, words: string]>> = {
  invalid: [400, "Bad request"],
  denied: [403, "Not for you"],
  missing: [404, "Not found"],
  "too-large": [413, "Too large"],
  unsupported: [415, "There is nothing here that reads this"],
  "too-many": [429, "Too many requests"],
  unavailable: [503, "Out of order for the moment"],
};

export const unsigned = words(401, "Requests have to be signed here");
export const notAcceptable = words(406, "There is nothing of these types here");

/** How an error goes out. What does not exist and what strangers may not see has the same bytes. */
export function failure(error: unknown): { document: Document; headers: Record<string, string>; isFault: boolean } {
  const known = error instanceof HubError ? error : undefined;
  const [status, sentence] = (known && statuses[known.kind]) ?? [500, "The hub has failed"];
  const after = known?.retryAfter;
  return {
    document: words(status, sentence),
    headers: after === undefined ? {} : { "retry-after": String(after) },
    isFault: status >= 500 && !(error instanceof Overloaded),
  };
}

function words(status: number, error: string): Document {
  return jsonDocument({ error }, jsonType, status);
}
