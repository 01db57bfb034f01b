import { countAttempt, refuseTooMany } from "../../domain/identity/accounts/log-in-attempts.ts";
import { OauthProblem } from "../../domain/identity/applications/oauth-problems.ts";
import type { Hub } from "../../hub.ts";

/** What somebody meets who tries out keys, tokens and secrets; a clock that is wrong is no attack. */
const guesses: readonly string[] = ["consumer_key_unknown", "token_rejected", "signature_invalid"];

/** Checks a signed request; failures count as failed log-ins do, and too many are too-many. */
export async function throttled<T>(hub: Hub, key: string, address: string, check: () => Promise<T>): Promise<T> {
  const login = `application ${key}`;
  await refuseTooMany(hub, login, address);
  try {
    return await check();
  } catch (error) {
    if (error instanceof OauthProblem && guesses.includes(error.problem)) {
      await countAttempt(hub, login, address);
      hub.log.info("Application {key} from {address} was refused: {problem}", {
        key: key.slice(0, 64),
        address,
        problem: error.problem,
      });
    }
    throw error;
  }
}
