import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";

/** A result that says in the body how it went, with status 200 (microblog contract 5.3). */
export type SoftResult = { result: "ok" | "error"; message: string };

export const unknownMessage = "message id not in database";

/**
 * What went wrong with a message, in the words of microblog contract 8.12 and 9.6; a fault of the hub goes to the log.
 * What has nothing to do with the message is thrown on.
 */
export function messageFault(hub: Hub, exchange: Exchange, error: unknown): string {
  if (error instanceof HubError && error.kind === "missing") return unknownMessage;
  if (error instanceof HubError && error.kind === "unavailable") throw error;
  hub.log.error("Request {id} failed: {error}", { id: exchange.id, path: exchange.path, error });
  return "unknown error";
}

/** The result that says what went wrong. */
export function softError(message: string): SoftResult {
  return { result: "error", message };
}
