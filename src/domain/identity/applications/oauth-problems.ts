import { HubError } from "../../../errors.ts";

/**
 * Why a signed request is refused. The reason is the name that OAuth libraries know the problem by, and the sentence
 * goes out as it stands, whatever an endpoint says about failures of its own.
 */
export class OauthProblem extends HubError {
  readonly problem: string;

  constructor(kind: "invalid" | "unauthenticated", problem: string, sentence: string) {
    super(kind, sentence, { reason: problem });
    this.problem = problem;
  }
}

/** The client is unknown, or the request names none. */
export function unknownClient(key: string): OauthProblem {
  const sentence = key === "" ? "Invalid consumer key" : "Invalid consumer";
  return new OauthProblem("unauthenticated", "consumer_key_unknown", sentence);
}

/** The token is unknown, belongs to another client, or to somebody who cannot authenticate any more. */
export function unknownToken(kind: TokenKind, token: string): OauthProblem {
  return new OauthProblem("unauthenticated", "token_rejected", `Invalid ${kind} token: ${token.slice(0, 255)}`);
}

/** The token has not been used in time. */
export function expiredToken(kind: TokenKind): OauthProblem {
  return new OauthProblem("unauthenticated", "token_expired", `Expired ${kind} token`);
}

/** What a token is for: to ask somebody for consent, or to act as a channel. */
export type TokenKind = "request" | "access";
