import { ConfigError } from "../config/read.ts";
import { messageOf } from "../refusals/messages.ts";
import { messages } from "./messages.ts";
import { BlobsAway, DatabaseAway, HubError, detailOf } from "../errors.ts";

/** A failure that a command foresees; the message is for the operator. */
export class CommandError extends Error {}

/** The command was called wrongly. */
export class UsageError extends CommandError {}

/** What a failure means, in one sentence for the operator; nothing when it is a fault of the program. */
export function errorMessageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseAway) return errorMessageOf(error.cause) ?? oneLine(messageOf(messages, error));
  if (error instanceof BlobsAway && error.cause instanceof Error)
    return `The blob store cannot be used: ${oneLine(cause(error.cause))}.`;
  if (error instanceof HubError) return oneLine(messageOf(messages, error));
  if (error instanceof CommandError || error instanceof ConfigError) return oneLine(error.message);
  const code = detailOf(error, "code");
  if (detailOf(error, "severity") !== undefined) return `The database says: ${oneLine(error.message)}.`;
  if (code === "ERR_SQLITE_ERROR") return `The database says: ${oneLine(error.message)}.`;
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  return systemErrors[code] ? `${systemErrors[code]} (${cause(error)}).` : `${oneLine(cause(error))}.`;
}

const systemErrors: Record<string, string> = {
  ECONNREFUSED: "The database cannot be reached: nobody listens there",
  ENOTFOUND: "The database cannot be reached: there is no such host",
  EADDRINUSE: "Another program uses the port",
  EACCES: "There is no right to do that",
  ENOSPC: "The disk is full",
  EROFS: "The disk can only be read",
  ENOENT: "There is no such file",
};

/** Trying several addresses of one host fails with several errors. */
function cause(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return (first instanceof Error ? first : error).message;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
