import type { Exchange, Failure } from "../../http/exchange.ts";

/** Status of each kind of failure (Mastodon contract 8.2); `text` where the thrower's words are not for these applications. */
const kinds: Readonly<Record<Failure["kind"], { status: number; text?: string }>> = {
  invalid: { status: 422 },
  unauthenticated: { status: 401 },
  denied: { status: 403 },
  missing: { status: 404, text: "Record not found" },
  conflict: { status: 422 },
  "too-large": { status: 413, text: "Payload Too Large" },
  unsupported: { status: 503 },
  "too-many": { status: 429 },
  unavailable: { status: 503 },
  method: { status: 405, text: "Method Not Allowed" },
  unknown: { status: 404, text: "Not Found" },
  broken: { status: 500, text: "Something went wrong on our end" },
};

/** What could not be read at all, or was not there. */
const unread: readonly (string | undefined)[] = ["bad_parameter", "missing_parameter"];
/** Codes of the hub for what is too large in another way than by its bytes. */
const tooLong: readonly (string | undefined)[] = ["text_too_long"];
/** Sentences that stand as they are. */
const plain: readonly (string | undefined)[] = ["user_needed"];

const oauth = "oauth_";

/** Nothing is administered by programs: whatever is asked for there, nobody may. */
const administration = /^\/api\/v\d+\/admin\//;

/** The error object: a sentence, or in OAuth a code with its description. */
export function mastodonFailure(
  failure: Failure,
  { path }: Pick<Exchange, "path">,
): {
  status: number;
  body: { error: string; error_description?: string; details?: unknown };
} {
  const { kind, reason, sentence } = failure;
  if (kind === "unknown" && administration.test(path))
    return { status: 403, body: { error: "This action is not allowed" } };
  if (reason?.startsWith(oauth)) {
    const status = reason === "oauth_invalid_client" ? 401 : kind === "denied" ? 403 : 400;
    return { status, body: { error: reason.slice(oauth.length), error_description: sentence } };
  }
  if (tooLong.includes(reason)) return { status: 422, body: { error: validation(sentence) } };
  const known = kinds[kind];
  if (failure.status !== undefined) return { status: failure.status, body: { error: sentence } };
  if (kind !== "invalid" && kind !== "conflict")
    return { status: known.status, body: { error: known.text ?? sentence } };
  if (reason === "missing_parameter" && failure.field !== undefined)
    return { status: 400, body: { error: missingParameter(failure.field) } };
  if (unread.includes(reason)) return { status: 400, body: { error: sentence } };
  const error = plain.includes(reason) ? sentence : validation(sentence);
  return { status: known.status, body: { error, ...failure.more } };
}

/** As applications know it (Mastodon contract 13.2). */
function missingParameter(name: string): string {
  return `param is missing or the value is empty: ${name}`;
}

/** What was sent can be read, and is not taken. */
function validation(sentence: string): string {
  const begin = "Validation failed: ";
  return sentence.startsWith(begin) ? sentence : begin + sentence;
}
