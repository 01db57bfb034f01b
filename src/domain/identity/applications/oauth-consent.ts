import { randomBytes, randomInt } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { missing } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { OauthTokenTable } from "../../../storage/tables/oauth.ts";
import type { Channel } from "../channels/channel.ts";
import { findChannelById } from "../channels/find-channel.ts";
import { callbackFor, outOfBand } from "./oauth-callbacks.ts";
import type { OauthClient } from "./oauth-clients.ts";
import { expiredToken, OauthProblem, unknownToken } from "./oauth-problems.ts";
import { issueToken, newPair } from "./oauth-tokens.ts";
import type { TokenPair } from "./oauth-tokens.ts";
import { isSameSecret } from "../same-secret.ts";

/** How an application comes to a token: it asks, somebody agrees, it shows that it knows of it. */

const lifetime = 600;
const mostTries = 5;

/** What an application asks with for the consent of somebody. */
export type RequestToken = Selectable<OauthTokenTable>;

/** A token with which the application sends somebody to the page that asks for consent. */
export async function askForConsent(hub: Hub, client: OauthClient, callback: string): Promise<TokenPair> {
  const pair = newPair();
  const expires = momentIn(hub, lifetime * 1000);
  await hub.db
    .insertInto("oauth_token")
    .values({
      client_id: client.id,
      uid: 0,
      kind: "request",
      ...pair,
      callback: callbackFor(client.redirect, callback),
      created: now(hub),
      expires,
    })
    .execute();
  return pair;
}

/** What an application waits for, as the page that asks for consent shows it. */
export type Question = { token: string; callback: string; name: string; icon: string };

/** The question behind a token; undefined when there is none, or it has been answered, or nobody did so in time. */
export async function findQuestion(hub: Hub, token: string): Promise<Question | undefined> {
  return hub.db
    .selectFrom("oauth_token")
    .innerJoin("oauth_client", "oauth_client.id", "oauth_token.client_id")
    .select(["token", "callback", "name", "icon"])
    .where("token", "=", token)
    .where("kind", "=", "request")
    .where("verifier", "=", "")
    .where("oauth_token.expires", ">", now(hub))
    .executeTakeFirst();
}

/** Agrees that the application acts as this channel; answers what it needs to know to get its token. Throws missing. */
export async function consent(hub: Hub, question: Question, { channel_id }: Channel): Promise<string> {
  const verifier =
    question.callback === outOfBand ? String(randomInt(1e8)).padStart(8, "0") : randomBytes(16).toString("hex");
  const { numUpdatedRows } = await hub.db
    .updateTable("oauth_token")
    .set({ uid: channel_id, verifier })
    .where("token", "=", question.token)
    .where("kind", "=", "request")
    .where("verifier", "=", "")
    .where("expires", ">", now(hub))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw missing("Token");
  return verifier;
}

/** Says no: the token is gone. */
export async function refuseConsent(hub: Hub, { token }: Question): Promise<void> {
  await hub.db
    .deleteFrom("oauth_token")
    .where("token", "=", token)
    .where("kind", "=", "request")
    .where("verifier", "=", "")
    .execute();
}

/** The request token of this client, once somebody has agreed. Throws an OauthProblem. */
export async function findConsent(hub: Hub, client: OauthClient, token: string): Promise<RequestToken> {
  const found = await hub.db
    .selectFrom("oauth_token")
    .selectAll()
    .where("token", "=", token)
    .where("client_id", "=", client.id)
    .where("kind", "=", "request")
    .executeTakeFirst();
  if (!found) throw unknownToken("request", token);
  if (found.expires <= now(hub)) throw expiredToken("request");
  if (found.verifier === "") throw new OauthProblem("unauthenticated", "permission_unknown", "Token not authorized");
  return found;
}

/** Changes the request token for an access token, once. Wrong verifiers are counted; too many end the request token. */
export async function exchangeToken(
  hub: Hub,
  client: OauthClient,
  request: RequestToken,
  verifier: string,
): Promise<TokenPair & { channel: Channel }> {
  const typed = verifier.trim();
  if (typed === "") throw wrongVerifier();
  // Wrong tries stay counted, so the refusal comes after the transaction.
  const found = await inTransaction(hub, async (hub) => {
    const tries = await countTry(hub, request);
    const fits = isSameSecret(typed, request.verifier);
    if (fits || tries >= mostTries) await hub.db.deleteFrom("oauth_token").where("id", "=", request.id).execute();
    const channel = fits ? await findChannelById(hub, request.uid) : undefined;
    return channel && { ...(await issueToken(hub, client, channel.channel_id)), channel };
  });
  if (!found) throw wrongVerifier();
  return found;
}

/** Every try counts from its beginning: eight digits can be guessed by somebody who tries often at the same moment. */
async function countTry(hub: Hub, { id, token }: RequestToken): Promise<number> {
  const row = await hub.db
    .updateTable("oauth_token")
    .set({ tries: sql<number>`tries + 1` })
    .where("id", "=", id)
    .returning("tries")
    .executeTakeFirst();
  if (!row) throw unknownToken("request", token);
  return row.tries;
}

function wrongVerifier(): OauthProblem {
  return new OauthProblem("unauthenticated", "verifier_invalid", "Invalid verifier");
}
