import { hash } from "node:crypto";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { remembered } from "../../storage/remembered.ts";
import { sqlDate } from "../../storage/sql.ts";
import { OauthProblem } from "./oauth-problems.ts";

/** What makes a signed request different from all others of its application. */
export type Once = { key: string; token: string; timestamp: string; nonce: string };

/** A timestamp counts as long as it is no further from now than this, so a nonce must be known for twice the time. */
export const timestampSeconds = 300;
const rememberedSeconds = 2 * timestampSeconds;
const mostRemembered = 300_000;

/**
 * Throws `nonce_used` for a request that has been here before (microblog contract 6.3). Call it once the signature has been
 * found right: else strangers could use up the nonces of others.
 *
 * This process remembers the nonces of the last ten minutes, up to 300,000 of them. Those of requests that change something
 * are in the database besides, so that such a request is refused after a restart and by other processes too; to show
 * somebody who has recorded a request twice what it has shown already does no harm worth a write for each read.
 */
export async function useNonce(hub: Hub, once: Once, writes: boolean): Promise<void> {
  const digest = hash("sha256", [once.key, once.token, once.timestamp, once.nonce].join("\0"), "base64url");
  const used = hub.memory.map<string, number>("identity: nonces", mostRemembered);
  if ((used.get(digest) ?? 0) > hub.clock().getTime()) throw nonceUsed(once);
  used.set(digest, hub.clock().getTime() + rememberedSeconds * 1000);
  if (writes && !(await isFirst(hub, digest))) throw nonceUsed(once);
}

/** A transaction of its own, because those share their way to the disk. */
function isFirst(hub: Hub, digest: string): Promise<boolean> {
  const expires = sqlDate(new Date(hub.clock().getTime() + rememberedSeconds * 1000));
  return inTransaction(hub, async (hub) => {
    const written = await remembered(hub, "oauth: nonce", { digest, expires }, (values) =>
      hub.db
        .insertInto("oauth_nonce")
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id"),
    );
    return written.length === 1;
  });
}

function nonceUsed({ nonce }: Once): OauthProblem {
  return new OauthProblem("unauthenticated", "nonce_used", `Nonce already used: ${nonce}`);
}
