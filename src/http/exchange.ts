import type { ErrorKind } from "../refusals/row.ts";
import type { Staged } from "../hub.ts";
import type { Bearer } from "../domain/identity/applications/oauth2-tokens.ts";
import type { TokenRequest } from "./oauth/verify.ts";

export type Format = "json" | "xml" | "rss" | "atom";

/** What a handler or presenter may know about the call besides its input: the dialect, never the request itself. */
export type Exchange = {
  /** Names the request in the log and in the answer's X-Request-Id. */
  readonly id: string;
  readonly method: string;
  /** The path as it was called, without the query. */
  readonly path: string;
  /** The format that the path asks for; json unless it says otherwise. */
  format: Format;
  /** By which family of names it was called, such as `svc` or `friendica`; empty for the plain one. */
  alias: string;
  /** Called below `/api/1.1/` (microblog contract 2.5). */
  version11: boolean;
  readonly userAgent: string;
  readonly baseUrl: string;
  /** The address of what feeds and pages of lists go on from, with its parameters; empty for other answers. */
  self: string;
  /** Address of the client. */
  readonly address: string;
  /** Name of the OAuth application that calls; empty without one. */
  application: string;
  /** Which application asks for a token; only endpoints that give tokens have one. */
  tokenRequest: TokenRequest | undefined;
  /** The token that a request was sent with, in faces that know such. */
  bearer: Bearer | undefined;
  /** Name and password of a client, where the endpoint judges them itself. */
  basic: { name: string; password: string } | undefined;
  /** A key by which a repeated request is known; empty without one. */
  readonly idempotencyKey: string;
  /** Parts that were sent as files, in order. */
  files: readonly SentFile[];
  /** The caller's request limits; undefined where the hub does not limit, and of the token without one. */
  rate(kind: "read" | "write" | "token"): Rate | undefined;
};

/** A file part of a form, staged in the blob store; what no handler has kept is removed after the answer. */
export type SentFile = { name: string; filename: string; type: string; staged: Staged };

/** How much of a window of requests is left. */
export type Rate = { limit: number; remaining: number; seconds: number; resetsAt: Date };

/** An error on its way out, with the endpoint's own text already in place. */
export type Failure = {
  /** Besides the domain's kinds: a wrong method, an endpoint that does not exist, a fault of the hub. */
  kind: ErrorKind | "method" | "unknown" | "broken";
  reason: string | undefined;
  sentence: string;
  field: string | undefined;
  /** Further fields of the error object. */
  more?: Readonly<Record<string, unknown>> | undefined;
  /** Set when the endpoint names a status of its own. */
  status: number | undefined;
};
