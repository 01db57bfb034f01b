import { OauthProblem } from "../../domain/identity/applications/oauth-problems.ts";
import { cleanText } from "../text.ts";
import { pairsOf, respell, unspell } from "./pairs.ts";
import type { Pair } from "./pairs.ts";

/** The parameters by which OAuth 1.0a is spoken. */
const names = [
  "oauth_consumer_key",
  "oauth_token",
  "oauth_signature_method",
  "oauth_timestamp",
  "oauth_nonce",
  "oauth_version",
  "oauth_signature",
  "oauth_callback",
  "oauth_verifier",
] as const;

export type ProtocolName = (typeof names)[number];

/** What a request says in OAuth's words. */
export type Protocol = {
  values: ReadonlyMap<ProtocolName, string>;
  /** Everything that its signature covers. */
  signed: readonly Pair[];
  /** The same without what another place wins over, if there is such a thing: some clients sign it that way. */
  signedOnce: readonly Pair[] | undefined;
};

/** Where OAuth parameters may stand: the Authorization header, the query, and an urlencoded body. */
export type Places = { authorization: string | null; query: string; form: string | undefined };

/** Do any of OAuth's parameters stand in the request? Such a request is never taken for one with a password. */
export function speaksOauth({ authorization, query, form = "" }: Places): boolean {
  return isOauth(authorization) || hasName(query) || hasName(form);
}

/** Reads the parameters; the header wins over the body, the body over the query. Throws for one that is twice in one place. */
export function readProtocol({ authorization, query, form = "" }: Places): Protocol {
  const inHeader = isOauth(authorization) ? headerPairs(authorization.slice("oauth".length)) : [];
  const places = [pairsOf(query), pairsOf(form), inHeader];
  const values = new Map<ProtocolName, string>();
  let found = 0;
  for (const pairs of places)
    for (const [name, value] of onceEach(pairs)) {
      values.set(name, value);
      found++;
    }
  const signedOnce = found > values.size ? signedOf(places.map(winners)) : undefined;
  return { values, signed: signedOf(places), signedOnce };
}

function signedOf(places: readonly (readonly Pair[])[]): Pair[] {
  return places.flat().filter(([name]) => name !== "oauth_signature");
}

/** What no later place says again. */
function winners(pairs: readonly Pair[], at: number, places: readonly (readonly Pair[])[]): Pair[] {
  const later = places.slice(at + 1).flat();
  return pairs.filter(([name]) => !isName(name) || !later.some(([other]) => other === name));
}

function isOauth(authorization: string | null): authorization is string {
  return authorization !== null && /^oauth(?=\s|$)/i.test(authorization);
}

/** A look at the raw text is enough for nearly every request. */
function hasName(text: string): boolean {
  if (!/oauth|%/i.test(text)) return false;
  return pairsOf(text).some(([name]) => isName(name));
}

function isName(name: string): name is ProtocolName {
  return names.includes(name as ProtocolName);
}

/** `name="value"` pairs, or without quotes; `realm` and whatever else is not OAuth's does not count. */
function headerPairs(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const [, name, quoted, bare = ""] of text.matchAll(/([^\s,="]+)\s*=\s*(?:"([^"]*)"|([^\s,"]*))/g)) {
    const spelled = respell(name!, false);
    if (spelled.startsWith("oauth_")) pairs.push([spelled, respell(quoted ?? bare, false)]);
  }
  return pairs;
}

function* onceEach(pairs: readonly Pair[]): Generator<[ProtocolName, string]> {
  const seen = new Set<string>();
  for (const [name, value] of pairs) {
    if (!isName(name)) continue;
    if (seen.has(name))
      throw new OauthProblem("invalid", "parameter_rejected", `Parameter ${name} given more than once`);
    seen.add(name);
    yield [name, cleanText(unspell(value))];
  }
}
