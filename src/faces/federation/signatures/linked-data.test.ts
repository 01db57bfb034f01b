import { afterAll, describe, expect, test, vi } from "vitest";
import { judgesLd, signLd } from "../../../../test/support/document-oracles.ts";
import { ann, keyId, keys, pemOf } from "../../../../test/support/signed-requests.ts";
import { refusal, TookTooLong } from "../../../errors.ts";
import { Threads } from "../../../threads.ts";
import { readActivity } from "../translate/activity.ts";
import type { Json } from "../translate/json.ts";
import { Node } from "../translate/node.ts";
import { readPost } from "../translate/object.ts";
import { ldClaim, withLdSignature } from "./linked-data.ts";
import { PublicKeys } from "./public-keys.ts";

/** LD signatures beside Fedify, and what must not hold although the RDF is the same. */

type Document = { [key: string]: Json };

const threads = new Threads();
afterAll(() => threads.close());

const own = new PublicKeys().parse(pemOf(keys.ann.publicKey))!;
const key = { id: keyId, object: keys.ann.privateKey };
const now = new Date("2026-03-01T12:00:00Z");
const create: Document = {
  "@context": [
    "https://www.w3.org/ns/activitystreams",
    "https://w3id.org/security/v1",
    { sensitive: "as:sensitive", Hashtag: "as:Hashtag" },
  ],
  id: "https://peer.example/activities/1",
  type: "Create",
  actor: ann,
  published: "2026-03-01T12:00:00Z",
  to: ["https://www.w3.org/ns/activitystreams#Public"],
  object: {
    id: "https://peer.example/notes/1",
    type: "Note",
    attributedTo: ann,
    content: "<p>Grüße</p>",
    contentMap: { de: "<p>Grüße</p>" },
    sensitive: false,
    tag: [{ type: "Hashtag", name: "#trees", href: "https://peer.example/tags/trees" }],
  },
};

async function judged(document: Document) {
  const claim = await ldClaim({ threads }, document);
  if (typeof claim === "string") return { fault: claim };
  return { fault: claim.faultBy(own), document: claim.document, keyId: claim.keyId };
}

test("ours holds, here and for Fedify, and the reader finds the same in what is covered", async () => {
  const signed = await withLdSignature({ threads }, create, key, now);
  const { fault, document, keyId: id } = await judged(signed);
  expect([fault, id]).toEqual([undefined, keyId]);
  expect(await judgesLd(signed, keys.ann.publicKey, keyId)).toBe(true);
  const [before, after] = [Node.of(signed)!, Node.of(document)!];
  expect(readActivity(after)).toMatchObject({ id: create["id"], type: "Create", actor: ann });
  expect(readPost(after.nodes("object")[0]!)).toMatchObject({
    ...readPost(before.nodes("object")[0]!)!,
    content: expect.arrayContaining([{ text: "<p>Grüße</p>" }, { text: "<p>Grüße</p>", language: "de" }]),
    to: [],
  });
});

test("where it takes too long, or too many wait, ours goes without, and one of others is none", async () => {
  const failing = (reason: Error): { threads: Threads } => {
    const threads = new Threads();
    vi.spyOn(threads, "of").mockReturnValue({ run: () => Promise.reject(reason) });
    return { threads };
  };
  const [late, busy] = [failing(new TookTooLong("late")), failing(refusal("busy", { retryAfter: 5 }))];
  for (const hub of [late, busy]) expect(await withLdSignature(hub, create, key, now)).toBe(create);
  const signed = await withLdSignature({ threads }, create, key, now);
  expect(await ldClaim(late, signed)).toBe("malformed");
  await expect(ldClaim(busy, signed)).rejects.toMatchObject({ code: "busy" });
  await expect(withLdSignature(failing(new Error("closing")), create, key, now)).rejects.toThrow("closing");
});

test("Fedify's holds here", async () => {
  const signed = (await signLd(create, keys.ann.privateKey, keyId)) as Document;
  expect((await judged(signed)).fault).toBeUndefined();
});

describe("damage", () => {
  const changes: [string, (signed: any) => void][] = [
    ["a letter of the content", (signed) => (signed.object.content += ".")],
    ["another language", (signed) => (signed.object.contentMap = { fr: "<p>Grüße</p>" })],
    ["another actor", (signed) => (signed.actor = "https://peer.example/users/eve")],
    ["another author", (signed) => (signed.object.attributedTo = "https://peer.example/users/eve")],
    ["one recipient more", (signed) => signed.to.push("https://peer.example/users/eve")],
    ["a property by its full address", (signed) => (signed.object["as:summary"] = "x")],
    ["another time", (signed) => (signed.signature.created = "2026-03-01T12:00:01Z")],
    ["another key", (signed) => (signed.signature.creator = `${keyId}-2`)],
    ["another value", (signed) => (signed.signature.signatureValue = Buffer.alloc(256).toString("base64"))],
    ["no value", (signed) => delete signed.signature.signatureValue],
    ["another kind", (signed) => (signed.signature.type = "Ed25519Signature2018")],
    ["no signature", (signed) => delete signed.signature],
  ];

  test.each(changes)("%s", async (_, change) => {
    const signed = structuredClone(await withLdSignature({ threads }, create, key, now));
    change(signed);
    expect((await judged(signed)).fault).toMatch(/^(mismatch|malformed|unsigned)$/);
    expect(await judgesLd(signed, keys.ann.publicKey, keyId).catch(() => false)).toBe(false);
  });
});

describe("what the signature does not cover", () => {
  const signedCreate = () => withLdSignature({ threads }, structuredClone(create), key, now);

  test("is not in the document that comes back: names that no context defines", async () => {
    const signed = (await signedCreate()) as any;
    signed.object.quoteUrl = "https://evil.example/1";
    signed.object._misskey_quote = "https://evil.example/1";
    const { fault, document } = await judged(signed as Document);
    expect(fault).toBeUndefined();
    expect(readPost(Node.of(signed as Json)!.nodes("object")[0]!)!.quote).toBe("https://evil.example/1");
    expect(readPost(Node.of(document)!.nodes("object")[0]!)!.quote).toBeUndefined();
  });

  test("nor is what contexts elsewhere are said to define", async () => {
    const signed = (await signedCreate()) as any;
    signed["@context"].push("https://evil.example/context");
    expect((await judged(signed as Document)).fault).toBeUndefined();
  });

  test("is refused where it would vanish on the way: values that are no RDF", async () => {
    const signed = (await signedCreate()) as any;
    signed.object.summary = { "@value": "forged", "@language": "not a language" };
    expect((await judged(signed as Document)).fault).toMatch(/malformed|mismatch/);
    const relative = (await signedCreate()) as any;
    relative.object["as:inReplyTo"] = { "@id": "forged" };
    expect((await judged(relative as Document)).fault).toMatch(/malformed|mismatch/);
  });

  test("a context that turns names around shows what was signed, not what stands there", async () => {
    const signed = (await signedCreate()) as any;
    signed["@context"].push({ content: "as:unknown", text: "as:content", contentMap: null });
    const { content: _, contentMap: _map, ...object } = signed.object;
    const turned = { ...signed, object: { ...object, text: "<p>Grüße</p>" } } as Document;
    expect((await judged(turned)).fault).toBe("mismatch");
  });
});

describe("the same graph by another root", () => {
  test("an inner activity does not become the outer one", async () => {
    const like = { id: `${ann}#likes/1`, type: "Like", actor: ann, object: "https://hub.example/item/1" };
    const undo: Document = {
      "@context": create["@context"]!,
      id: `${ann}#undo/1`,
      type: "Undo",
      actor: ann,
      object: like,
    };
    const signed = (await withLdSignature({ threads }, undo, key, now)) as any;
    const { "@context": context, object: inner, signature, ...outer } = signed;
    const reversed = { "@context": context, ...inner, "@reverse": { "as:object": outer }, signature };
    const included = { "@context": context, ...inner, "@included": [{ ...outer, object: { id: like.id } }], signature };
    const graph = { "@context": context, "@graph": [{ ...outer, object: { id: like.id } }, inner], signature };
    for (const document of [reversed, included, graph]) expect((await judged(document)).fault).toBe("malformed");
  });

  test.each([
    [1, "mismatch"],
    [14, "malformed"],
  ])("%d nodes that look alike: %s, since finding an order of many would take long", async (many, fault) => {
    const blank = Array.from({ length: many }, (_, at) => ({
      "@id": `_:b${at}`,
      "as:tag": Array.from({ length: many }, (_, other) => ({ "@id": `_:b${other}` })),
    }));
    const poisoned: Document = {
      "@context": create["@context"]!,
      id: "https://peer.example/1",
      type: "Note",
      tag: blank,
    };
    const signature = {
      type: "RsaSignature2017",
      creator: keyId,
      created: "2026-03-01T12:00:00Z",
      signatureValue: "AAAA",
    };
    expect((await judged({ ...poisoned, signature })).fault).toBe(fault);
  });
});
