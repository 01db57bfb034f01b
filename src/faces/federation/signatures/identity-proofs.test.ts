import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { multikey } from "./multikey.ts";
import { identityStatement, subjectsOf } from "./identity-proofs.ts";

/** Statements by which a key stands behind an actor (FEP-c390). */

const actor = "https://far.example/users/eva";

test("hold for the actor that they name, as long as nothing in them is changed", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const own = multikey(publicKey.export({ type: "spki", format: "pem" }).toString());
  const statement = await identityStatement(actor, { multikey: own, object: privateKey }, new Date());
  const subject = `did:key:${own}`;
  expect(statement).toMatchObject({ type: "VerifiableIdentityStatement", subject, alsoKnownAs: actor });
  expect(await subjectsOf(actor, [statement, statement])).toEqual([subject]);
  const other = "did:key:z6Mko6N2w5fWxX9nPBK63QHeKRtkc3RSVjqzQ6HDqZosepdN";
  const damaged = [
    { ...statement, alsoKnownAs: `${actor}2` },
    { ...statement, subject: other },
    { ...statement, proof: undefined! },
    { ...statement, more: true },
    { ...statement, proof: { ...(statement["proof"] as object), verificationMethod: other } },
  ];
  for (const one of damaged) expect(await subjectsOf(actor, [one])).toEqual([]);
  expect(await subjectsOf(`${actor}2`, [statement])).toEqual([]);
});
