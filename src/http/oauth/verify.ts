import { digestOf, nonceUsed, timestampSeconds, useNonce } from "../../domain/identity/applications/oauth-nonces.ts";
import type { Nonce, Once } from "../../domain/identity/applications/oauth-nonces.ts";
import { findClient } from "../../domain/identity/applications/oauth-clients.ts";
import type { OauthClient } from "../../domain/identity/applications/oauth-clients.ts";
import { findConsent } from "../../domain/identity/applications/oauth-consent.ts";
import type { RequestToken } from "../../domain/identity/applications/oauth-consent.ts";
import { OauthProblem, unknownClient } from "../../domain/identity/applications/oauth-problems.ts";
import { findGranted, renewToken } from "../../domain/identity/applications/oauth-tokens.ts";
import type { Granted } from "../../domain/identity/applications/oauth-tokens.ts";
import type { Hub } from "../../hub.ts";
import { signedPathOf } from "../arrival.ts";
import type { Arrival } from "../arrival.ts";
import { maySendSecrets, originsOf } from "./origins.ts";
import type { Pair } from "./pairs.ts";
import { readProtocol } from "./protocol.ts";
import type { Places, Protocol, ProtocolName } from "./protocol.ts";
import { hmacFits, plaintextFits } from "./signature.ts";
import type { Secrets } from "./signature.ts";
import { throttled } from "./throttle.ts";

/** A request that says it is signed, as it came. */
export type SignedRequest = Places & {
  arrival: Arrival;
  /** Network address of the client, for throttling. */
  address: string;
};

/** Who an application acts as, and the nonce that must be kept if the request changes something. */
export type Verified = Granted & { nonce: Nonce };

/** An application that asks for a token. */
export type TokenRequest = { client: OauthClient; consent: RequestToken | undefined; parameters: Protocol["values"] };

type Method = "HMAC-SHA1" | "PLAINTEXT";
const methods: readonly Method[] = ["HMAC-SHA1", "PLAINTEXT"];
const mostNonce = 255;

/** Who an application acts as. Throws an OauthProblem. */
export async function verifyRequest(hub: Hub, request: SignedRequest): Promise<Verified> {
  const rules = readRules(hub, request);
  return throttled(hub, rules.once.key, request.address, async () => {
    const digest = digestOf(rules.once);
    const granted = await findGranted(hub, rules.once, digest);
    checkSignature(hub, request, rules, { client: granted.application.secret, token: granted.token.secret });
    if (granted.nonceUsed) throw nonceUsed(rules.once);
    const nonce = useNonce(hub, rules.once, digest);
    await renewToken(hub, granted.token);
    return { ...granted, nonce };
  });
}

/** Which application asks for a token; for `access` with one that somebody has agreed to. Throws an OauthProblem. */
export async function verifyTokenRequest(
  hub: Hub,
  request: SignedRequest,
  wanted: "request" | "access",
): Promise<TokenRequest> {
  const rules = readRules(hub, request);
  if (wanted === "access") refusePasswords(rules.protocol);
  const { key, token } = rules.once;
  return throttled(hub, key, request.address, async () => {
    const client = await findClient(hub, key);
    if (!client) throw unknownClient(key);
    const consent = wanted === "access" ? await findConsent(hub, client, token) : undefined;
    checkSignature(hub, request, rules, { client: client.secret, token: consent?.secret ?? "" });
    await useNonce(hub, rules.once, digestOf(rules.once)).keep(hub);
    return { client, consent, parameters: rules.protocol.values };
  });
}

/** No application gets a token for a password that somebody has typed into it. */
function refusePasswords({ signed }: Protocol): void {
  const xauth = signed.some(([name]) => /^x_auth_(username|password|mode)$/.test(name));
  if (xauth) throw new OauthProblem("unauthenticated", "permission_denied", "xAuth is not supported");
}

type Rules = { protocol: Protocol; method: Method; once: Once };

/** What can be checked before anybody is looked up, in the order of the contract's table. */
function readRules(hub: Hub, request: SignedRequest): Rules {
  const protocol = readProtocol(request);
  const version = protocol.values.get("oauth_version");
  // The common Node library sends "1.0A", as its own examples have it.
  if (version !== undefined && !/^1\.0a?$/i.test(version))
    throw new OauthProblem("invalid", "version_rejected", `OAuth version '${version}' not supported`);
  const method = readMethod(hub, request, of(protocol, "oauth_signature_method"));
  const once = onceOf(protocol);
  checkTimestamp(hub, once);
  if (once.key === "") throw unknownClient(once.key);
  return { protocol, method, once };
}

function readMethod(hub: Hub, { arrival }: SignedRequest, name: string): Method {
  if (name === "") throw absent("No signature method parameter. This parameter is required");
  // Nearly everybody signs, and need not wait for how a secret would travel.
  if (name === "HMAC-SHA1") return name;
  const offered = maySendSecrets(arrival, hub.config) ? methods : methods.filter((one) => one !== "PLAINTEXT");
  const method = offered.find((one) => one === name);
  if (method) return method;
  throw new OauthProblem(
    "invalid",
    "signature_method_rejected",
    `Signature method '${name}' not supported try one of the following: ${offered.join(", ")}`,
  );
}

function checkTimestamp(hub: Hub, { timestamp, nonce }: Once): void {
  if (timestamp === "") throw absent("Missing timestamp parameter. The parameter is required");
  if (nonce === "") throw absent("Missing nonce parameter. The parameter is required");
  if (nonce.length > mostNonce)
    throw new OauthProblem("invalid", "parameter_rejected", `A nonce has at most ${mostNonce} characters`);
  const ours = Math.floor(hub.clock().getTime() / 1000);
  if (/^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - ours) <= timestampSeconds) return;
  const sentence = `Expired timestamp, yours ${timestamp.slice(0, 50)}, ours ${ours}`;
  throw new OauthProblem("unauthenticated", "timestamp_refused", sentence);
}

/** Comes before the nonce: else strangers could use up the nonces of others. */
function checkSignature(hub: Hub, request: SignedRequest, { protocol, method }: Rules, secrets: Secrets): void {
  const signature = of(protocol, "oauth_signature");
  const fits =
    method === "PLAINTEXT" ? plaintextFits(signature, secrets) : hmacFitsRequest(hub, request, protocol, secrets);
  if (!fits) throw new OauthProblem("unauthenticated", "signature_invalid", "Invalid signature");
}

function hmacFitsRequest(hub: Hub, { arrival }: SignedRequest, protocol: Protocol, secrets: Secrets): boolean {
  const target = { method: arrival.request.method.toUpperCase(), path: signedPathOf(arrival) };
  const fits = (pairs: readonly Pair[]): boolean =>
    hmacFits(of(protocol, "oauth_signature"), { ...target, pairs }, originsOf(arrival, hub.config), secrets);
  return fits(protocol.signed) || (protocol.signedOnce !== undefined && fits(protocol.signedOnce));
}

function onceOf(protocol: Protocol): Once {
  return {
    key: of(protocol, "oauth_consumer_key"),
    token: of(protocol, "oauth_token"),
    timestamp: of(protocol, "oauth_timestamp"),
    nonce: of(protocol, "oauth_nonce"),
  };
}

function of({ values }: Protocol, name: ProtocolName): string {
  return values.get(name) ?? "";
}

function absent(sentence: string): OauthProblem {
  return new OauthProblem("invalid", "parameter_absent", sentence);
}
