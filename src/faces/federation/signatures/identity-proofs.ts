import type { KeyObject } from "node:crypto";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Json } from "../translate/json.ts";
import { proofClaim, withProof } from "./proofs.ts";
import { PublicKeys } from "./public-keys.ts";

/** A key says that it stands behind an actor (FEP-c390): whoever has it can say so at another place, too. */

type Statement = { [key: string]: Json };

export const statementType = "VerifiableIdentityStatement";

const scheme = "did:key:";

/** The statement of this key, as a multikey and its private half, about an actor. */
export function identityStatement(
  actor: string,
  key: { multikey: string; object: KeyObject },
  moment: Date,
): Promise<Statement> {
  const subject = scheme + key.multikey;
  return withProof({ type: statementType, subject, alsoKnownAs: actor }, { id: subject, object: key.object }, moment);
}

/** The keys (`did:key:…`) that stand behind an actor by statements in its document; each is checked, and what does not hold left out. */
export async function subjectsOf(actor: string, statements: readonly Statement[]): Promise<string[]> {
  const found = statements.map(async (statement) => ((await holdsFor(actor, statement)) ? [statement["subject"]] : []));
  return [...new Set((await Promise.all(found)).flat())].map(String);
}

async function holdsFor(actor: string, statement: Statement): Promise<boolean> {
  const { subject, alsoKnownAs } = statement;
  if (typeof subject !== "string" || !subject.startsWith(scheme)) return false;
  if (typeof alsoKnownAs !== "string" || !isSameId(alsoKnownAs, actor)) return false;
  const claim = await proofClaim(statement);
  const key = new PublicKeys(1).parse(subject.slice(scheme.length));
  return typeof claim === "object" && claim.keyId === subject && key !== undefined && claim.faultBy(key) === undefined;
}
