import { sql } from "kysely";
import type { Selectable } from "kysely";
import { refusal } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { removeInSteps } from "../../../storage/in-steps.ts";
import type { Oauth2CodeTable } from "../../../storage/tables/oauth.ts";
import type { Channel } from "../channels/channel.ts";
import { isSameSecret } from "../same-secret.ts";
import { digestOf, newSecret } from "../secrets.ts";
import type { Oauth2App } from "./oauth2-apps.ts";
import { issueBearer } from "./oauth2-tokens.ts";
import type { IssuedBearer } from "./oauth2-tokens.ts";
import { holdAll, readScopes } from "./scopes.ts";

/** How an application of OAuth 2 comes to a token: somebody agrees, the browser brings it a code, it changes the code. */

const lifetime = 600;
const mostTries = 5;
/** Codes that have been changed are remembered longer than they hold, so that a second use is noticed. */
const keptAfterwards = 24 * 3600;

/** What an application asks somebody for. */
export type Oauth2Question = { app: Oauth2App; redirect: string; scopes: readonly string[]; challenge: string };

/** What stands in the address of the page that asks for consent (Mastodon contract 9.3), besides the application and the redirect. */
export type AskedWith = {
  responseType: string;
  scope: string;
  challenge: string;
  challengeMethod: string;
  responseMode: string;
};

/** Checks what an application asks with. Throws what is told to the application: codes of `oauth_`. */
export function readQuestion(app: Oauth2App, redirect: string, asked: AskedWith): Oauth2Question {
  if (asked.responseType !== "code") throw refusal("oauth_unsupported_response_type");
  if (asked.responseMode !== "" && asked.responseMode !== "query") throw refusal("oauth_invalid_request");
  const hasChallenge = asked.challenge !== "" || asked.challengeMethod !== "";
  if (hasChallenge && (asked.challengeMethod !== "S256" || !/^[\w-]{43,128}$/.test(asked.challenge)))
    throw refusal("oauth_invalid_request");
  const scopes = readScopes(asked.scope);
  if (scopes.length === 0 || !holdAll(app.scopes, scopes)) throw refusal("oauth_invalid_scope");
  return { app, redirect, scopes, challenge: asked.challenge };
}

/** Agrees that the application acts as this channel; answers the code with which it gets its token. */
export async function grantCode(hub: Hub, question: Oauth2Question, { channel_id }: Channel): Promise<string> {
  const code = newSecret();
  await hub.db
    .insertInto("oauth2_code")
    .values({
      digest: digestOf(code),
      app_id: question.app.id,
      uid: channel_id,
      redirect: question.redirect,
      scopes: question.scopes.join(" "),
      challenge: question.challenge,
      token_id: 0,
      created: now(hub),
      expires: momentIn(hub, lifetime * 1000),
    })
    .execute();
  return code;
}

/** What an application shows to change its code for a token. */
export type CodeExchange = { code: string; redirect: string; verifier: string };

/**
 * Changes a code for a token, once: a second time the token of the first ends (RFC 6749, 4.1.2). Wrong verifiers are counted, and too many
 * end the code. Throws `oauth_invalid_grant`.
 */
export async function exchangeCode(hub: Hub, app: Oauth2App, given: CodeExchange): Promise<IssuedBearer> {
  // What is noted of a wrong try stays, so the refusal comes after the transaction.
  const issued = await inTransaction(hub, async (hub) => {
    const row = await takeCode(hub, given.code);
    if (!row || row.app_id !== app.id || row.expires <= now(hub)) return undefined;
    if (row.token_id > 0) return endFormer(hub, row);
    if (row.tries > mostTries || given.redirect !== row.redirect || !verifierFits(row.challenge, given.verifier))
      return undefined;
    const token = await issueBearer(hub, app, row.uid, row.scopes.split(" "));
    await hub.db.updateTable("oauth2_code").set({ token_id: token.id }).where("digest", "=", row.digest).execute();
    return token;
  });
  if (!issued) throw refusal("oauth_invalid_grant");
  return issued;
}

/** Every use counts as a try from its beginning, and whoever uses it at the same moment waits. */
function takeCode(hub: Hub, code: string): Promise<Selectable<Oauth2CodeTable> | undefined> {
  return hub.db
    .updateTable("oauth2_code")
    .set({ tries: sql<number>`tries + 1` })
    .where("digest", "=", digestOf(code))
    .returningAll()
    .executeTakeFirst();
}

async function endFormer(hub: Hub, { token_id }: Selectable<Oauth2CodeTable>): Promise<undefined> {
  await hub.db.deleteFrom("oauth2_token").where("id", "=", token_id).execute();
  return undefined;
}

/** A challenge wants its verifier, and a verifier its challenge (RFC 7636, method S256). */
function verifierFits(challenge: string, verifier: string): boolean {
  if (challenge === "" || verifier === "") return challenge === verifier;
  return /^[\w.~-]{43,128}$/.test(verifier) && isSameSecret(digestOf(verifier), challenge.replace(/=+$/, ""));
}

/** A token that stands for the application alone. Throws `oauth_invalid_scope`. */
export async function issueAppToken(hub: Hub, app: Oauth2App, scope: string): Promise<IssuedBearer> {
  const scopes = readScopes(scope);
  if (scopes.length === 0 || !holdAll(app.scopes, scopes)) throw refusal("oauth_invalid_scope");
  return issueBearer(hub, app, 0, scopes);
}

/** Removes codes whose time is over. */
export async function sweepCodes(hub: Hub): Promise<void> {
  const old = hub.db
    .selectFrom("oauth2_code")
    .select("digest")
    .where("expires", "<", momentIn(hub, -keptAfterwards * 1000));
  await removeInSteps((most) =>
    hub.db.deleteFrom("oauth2_code").where("digest", "in", old.limit(most)).executeTakeFirst(),
  );
}
