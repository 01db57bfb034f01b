import { OauthProblem } from "../domain/identity/applications/oauth-problems.ts";
import { HubError, OutOfOrder, Overloaded } from "../errors.ts";
import type { Endpoint, OwnText } from "./endpoint.ts";
import { messageOf } from "../refusals/messages.ts";
import type { Failure } from "./exchange.ts";
import type { Face } from "./face.ts";

/** An error that says something about the protocol and nothing about the hub: faces give it their own status and text. */
export class ProtocolError extends Error {
  readonly kind: "method" | "unknown";

  constructor(kind: ProtocolError["kind"]) {
    super(kind === "method" ? "Method not allowed" : "not implemented");
    this.kind = kind;
  }
}

/** The error as it goes out, in the endpoint's own words where it has some. What was not thrown on purpose tells nothing. */
export function failureOf(
  error: unknown,
  row: Endpoint | undefined,
  alias: string,
  messages: Face["messages"],
): Failure {
  if (error instanceof ProtocolError) return plain(error.kind, error.message);
  if (!(error instanceof HubError)) return { ...plain("broken", "system error"), ...ownWords(row?.errors?.["broken"]) };
  // What is wrong with a signature, the database or the disk has the same words everywhere.
  const isSame = error instanceof OauthProblem || error instanceof OutOfOrder;
  const texts: Endpoint["errors"] = isSame ? {} : { ...row?.errors, ...row?.errorsAs?.[alias] };
  const reason = error.reason ?? error.code;
  const own: OwnText | undefined = (reason && texts[reason]) || texts[error.kind];
  const [status, words] = typeof own === "object" ? own : [undefined, own];
  const sentence = words?.replace("<n>", String(error.size ?? 0)) ?? messageOf(messages, error);
  const field = error.field && (row?.fields?.[error.field] ?? error.field);
  return { kind: error.kind, reason, sentence, field, more: error.more, status };
}

/** Is it a fault of the hub that somebody should know of? What it refuses because too much is asked is counted. */
export function isForTheLog(error: unknown, { kind }: Failure): boolean {
  return (kind === "broken" || kind === "unavailable") && !(error instanceof Overloaded);
}

/** What an endpoint says of a fault of the hub. */
function ownWords(own: OwnText | undefined): Pick<Failure, "sentence" | "status"> | undefined {
  return own === undefined || typeof own === "string" ? undefined : { status: own[0], sentence: own[1] };
}

function plain(kind: Failure["kind"], sentence: string): Failure {
  return { kind, reason: undefined, sentence, field: undefined, status: undefined };
}
