import { HubError } from "../errors.ts";
import type { Endpoint, OwnText } from "./endpoint.ts";
import type { Failure } from "./face.ts";

/** An error that says something about the protocol and nothing about the hub: faces give it their own status and text. */
export class ProtocolError extends Error {
  readonly kind: "method" | "unknown";

  constructor(kind: ProtocolError["kind"]) {
    super(kind === "method" ? "Method not allowed" : "not implemented");
    this.kind = kind;
  }
}

/** The error as it goes out, in the endpoint's own words where it has some. What was not thrown on purpose tells nothing. */
export function failureOf(error: unknown, row: Endpoint | undefined): Failure {
  if (error instanceof ProtocolError) return plain(error.kind, error.message);
  if (!(error instanceof HubError)) return plain("broken", "system error");
  const own: OwnText | undefined = (error.reason && row?.errors?.[error.reason]) || row?.errors?.[error.kind];
  const [status, sentence] = own === undefined || typeof own === "string" ? [undefined, own ?? error.message] : own;
  const field = error.field && (row?.fields?.[error.field] ?? error.field);
  return { kind: error.kind, reason: error.reason, sentence, field, status };
}

function plain(kind: Failure["kind"], sentence: string): Failure {
  return { kind, reason: undefined, sentence, field: undefined, status: undefined };
}
