import { describe, expect, test } from "vitest";
import { createObjectProof, judgesProof } from "../../../../test/support/document-oracles.ts";
import { ann, keys, pemOf } from "../../../../test/support/signed-requests.ts";
import type { Json } from "../translate/json.ts";
import { proofClaim, withProof } from "./proofs.ts";
import { PublicKeys } from "./public-keys.ts";

/** FEP-8b32 with eddsa-jcs-2022, beside Fedify. */

type Document = { [key: string]: Json };

const parsed = new PublicKeys();
const own = parsed.parse(pemOf(keys.ed25519.publicKey))!;
const key = { id: `${ann}#ed25519-key`, object: keys.ed25519.privateKey };
const now = new Date("2026-03-01T12:00:00Z");
const note: Document = {
  "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/data-integrity/v1"],
  id: "https://peer.example/activities/1",
  type: "Create",
  actor: ann,
  object: {
    id: "https://peer.example/notes/1",
    type: "Note",
    attributedTo: ann,
    content: "Grüße \u20ac \ud83d\ude00",
    weight: 1e21,
  },
};

async function faultOf(document: Document, by = own) {
  const claim = await proofClaim(document);
  return typeof claim === "string" ? claim : claim.faultBy(by);
}

test("ours holds, here and for Fedify", async () => {
  const signed = await withProof(note, key, now);
  expect(await faultOf(signed)).toBeUndefined();
  expect(await judgesProof(signed, keys.ed25519.publicKey)).toBe(true);
});

test("Fedify's holds here", async () => {
  const signed = (await createObjectProof(note, keys.ed25519.privateKey, key.id)) as Document;
  expect(await judgesProof(signed, keys.ed25519.publicKey)).toBe(true);
  expect(await faultOf(signed)).toBeUndefined();
});

describe("damage", () => {
  const changes: [string, (signed: any) => void][] = [
    ["a letter of the content", (signed) => (signed.object.content += ".")],
    ["another property", (signed) => (signed.object.sensitive = true)],
    ["a property gone", (signed) => delete signed.object.weight],
    ["another actor", (signed) => (signed.actor = "https://peer.example/users/eve")],
    ["another context", (signed) => (signed["@context"] = "https://www.w3.org/ns/activitystreams")],
    ["another time of the proof", (signed) => (signed.proof.created = "2026-03-01T12:00:01Z")],
    ["another purpose", (signed) => (signed.proof.proofPurpose = "authentication")],
    ["another key id", (signed) => (signed.proof.verificationMethod = `${ann}#other`)],
    ["another value", (signed) => (signed.proof.proofValue = `z${"2".repeat(88)}`)],
    ["a value that is no base58", (signed) => (signed.proof.proofValue = "z0")],
    ["no time", (signed) => delete signed.proof.created],
    ["another suite", (signed) => (signed.proof.cryptosuite = "eddsa-rdfc-2022")],
    ["no proof", (signed) => delete signed.proof],
  ];

  test.each(changes)("%s", async (_, change) => {
    const signed = structuredClone(await withProof(note, key, now));
    change(signed);
    expect(await faultOf(signed)).toMatch(/^(mismatch|malformed|unsigned)$/);
    expect(await judgesProof(signed, keys.ed25519.publicKey).catch(() => false)).toBe(false);
  });

  test("a key of another kind, and of somebody else", async () => {
    const signed = await withProof(note, key, now);
    expect(await faultOf(signed, parsed.parse(pemOf(keys.ann.publicKey)))).toBe("key_unsuited");
    const other = parsed.parse("z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQXJyt89t8G6rE")!;
    expect(await faultOf(signed, other)).toBe("mismatch");
  });
});

test("of several proofs the one of this kind counts, and order of keys does not", async () => {
  const { proof, ...rest } = await withProof(note, key, now);
  const turned = Object.fromEntries(Object.entries(rest).toReversed());
  expect(
    await faultOf({ proof: [{ type: "DataIntegrityProof", cryptosuite: "other" }, proof!], ...turned }),
  ).toBeUndefined();
});
