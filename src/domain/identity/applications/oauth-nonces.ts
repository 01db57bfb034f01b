import { hash } from "node:crypto";
import { cache } from "../../../caches.ts";
import { afterCommit, beforeAgain, inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { removeInSteps } from "../../../storage/in-steps.ts";
import { compiledQuery } from "../../../storage/compiled-query.ts";
import { pipelinedRows } from "../../../storage/pipelined.ts";
import { OauthProblem } from "./oauth-problems.ts";

/** What makes a signed request different from all others of its application. */
export type Once = { key: string; token: string; timestamp: string; nonce: string };

/** The nonce of a request that is being answered. */
export type Nonce = {
  /** Writes it down for good, if that has not happened. Throws `nonce_used` when another process has been faster. */
  keep(hub: Hub): Promise<void>;
};

/** A timestamp counts as long as it is no further from now than this, so a nonce must be known for twice the time. */
export const timestampSeconds = 300;
const rememberedSeconds = 2 * timestampSeconds;
/** Until when a nonce is remembered, by its digest. */
const remembered = cache<string, number>(300_000);

/** The name under which a nonce is remembered: the time comes first, so that the oldest are found together. */
export function digestOf({ key, token, timestamp, nonce }: Once): string {
  return `${timestamp.padStart(12, "0")}.${hash("sha256", [key, token, timestamp, nonce].join("\0"), "base64url")}`;
}

/** Forgets the nonces of requests that would be too old by now. */
export async function sweepNonces(hub: Hub): Promise<void> {
  const oldest = Math.floor(hub.clock().getTime() / 1000) - rememberedSeconds;
  const old = hub.db.selectFrom("oauth_nonce").select("digest").where("digest", "<", String(oldest).padStart(12, "0"));
  await removeInSteps((most) =>
    hub.db.deleteFrom("oauth_nonce").where("digest", "in", old.limit(most)).executeTakeFirst(),
  );
}

/**
 * Throws `nonce_used` for a request that has been here before, by its `digestOf`. Call it once the
 * signature has been found right: else strangers could use up the nonces of others.
 *
 * This process remembers the nonces of the last ten minutes, up to 300,000 of them. Those of requests that change something
 * are kept in the database besides, before anybody is told that it was done: so such a request is refused after a restart
 * and by other processes too. To show somebody who has recorded a request twice what it has shown already does no harm
 * worth a write for each read.
 */
export function useNonce(hub: Hub, once: Once, digest: string): Nonce {
  const used = remembered(hub);
  if ((used.get(digest) ?? 0) > hub.clock().getTime()) throw nonceUsed(once);
  used.set(digest, hub.clock().getTime() + rememberedSeconds * 1000);
  return nonceOf(once, digest);
}

function nonceOf(once: Once, digest: string): Nonce {
  let [isWritten, isKept] = [false, false];
  const write = async (hub: Hub): Promise<void> => {
    // A request may have several transactions under way; what the first one has written is no other's.
    if (!(await isFirst(hub, digest)) && !isWritten) throw nonceUsed(once);
    isWritten = true;
    afterCommit(hub, () => {
      isKept = true;
    });
    // Another process may write it before this one does so again.
    beforeAgain(hub, () => {
      isWritten = false;
    });
  };
  return { keep: async (hub) => (isKept ? undefined : inTransaction(hub, write)) };
}

async function isFirst(hub: Hub, digest: string): Promise<boolean> {
  const written = await pipelinedRows(
    hub,
    compiledQuery(hub, "oauth: nonce", { digest }, (values) =>
      hub.db
        .insertInto("oauth_nonce")
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .returning("digest"),
    ),
  );
  return (await written()).length === 1;
}

/** The refusal of a request that has been here before. */
export function nonceUsed({ nonce }: Once): OauthProblem {
  return new OauthProblem("unauthenticated", "nonce_used", `Nonce already used: ${nonce}`);
}
