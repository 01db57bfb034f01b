import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Activity } from "@fedify/vocab";
import { afterAll, describe, expect, test } from "vitest";
import { activityFacts, thingOf } from "../../../test/support/vocabulary-oracle.ts";
import type { Hub } from "../../hub.ts";
import { Threads } from "../../threads.ts";
import { signedContext } from "./documents/context.ts";
import { answerOf, followOf } from "./present/follow.ts";
import { revocationOf, verdictOf } from "./present/consent.ts";
import { voteOf } from "./present/vote.ts";
import { removalOf, withdrawalOf } from "./present/withdrawal.ts";
import { ldClaim } from "./signatures/linked-data.ts";
import { proofClaim } from "./signatures/proofs.ts";
import { PublicKeys } from "./signatures/public-keys.ts";
import { verifyRequest } from "./signatures/verify.ts";
import type { Json } from "./translate/json.ts";
import { jsonLimits } from "./translate/json.ts";
import { mostItems, mostRecipients } from "./translate/node.ts";

/** The examples of FEDERATION.md are true. */

const text = readFileSync(join(import.meta.dirname, "../../../FEDERATION.md"), "utf8");
const blocks = (kind: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)\n\`\`\`$`, "gms"))].map((block) => block[1]!);
const documents = blocks("json").map((block) => JSON.parse(block) as { [key: string]: Json });

const keys = new PublicKeys();
const rsa = keys.parse(blocks("").find((block) => block.startsWith("-----BEGIN"))!)!;
const ed25519 = keys.parse(/`(z6Mk\w+)`/.exec(text)![1]!)!;
const ann = "https://hub.example/channel/ann";

const threads = new Threads();
afterAll(() => threads.close());

describe("signed requests", () => {
  test.each(
    blocks("http").map((block) => ({ block, scheme: block.includes("Signature-Input") ? "rfc9421" : "cavage" })),
  )("$scheme", async ({ block, scheme }) => {
    const [head, body] = block.split("\n\n") as [string, string];
    const [first, ...lines] = head.split("\n");
    const rawHeaders = lines.flatMap((line) => line.split(/: (.*)/, 2));
    const [method, target] = first!.split(" ") as [string, string];
    const place = { host: "peer.example", base: "https://peer.example" };
    const date = new Date(rawHeaders[rawHeaders.indexOf("Date") + 1]!);
    const find = () => Promise.resolve({ key: rsa, owner: ann });
    const verdict = await verifyRequest({ method, target, rawHeaders, ...place, body: Buffer.from(body) }, date, find);
    expect(verdict).toEqual({ signed: true, owner: ann, keyId: `${ann}#main-key`, scheme });
  });

  test("there are two", () => {
    expect(blocks("http").length).toBe(2);
  });
});

test("the integrity proof holds", async () => {
  const claim = await proofClaim(documents.find((document) => "proof" in document)!);
  expect(typeof claim === "string" ? claim : claim.faultBy(ed25519)).toBeUndefined();
});

test("the LD signature holds", async () => {
  const claim = await ldClaim(
    { threads },
    documents.find((document) => "signature" in document)!,
  );
  expect(typeof claim === "string" ? claim : claim.faultBy(rsa)).toBeUndefined();
});

describe("what is sent", () => {
  const hub = { config: { baseUrl: "https://hub.example" } } as Hub;
  const follow = { nick: "ann", follow: "https://hub.example/follow/1", person: "https://peer.example/users/bob" };
  const note = "https://peer.example/notes/1";
  const moment = "2026-03-01 12:00:00";
  const gone = { deed: "withdraw", message: 1, author: 1, moment, wasPublic: true } as const;
  const quotation = {
    request: "https://peer.example/requests/1",
    kind: "quote",
    post: "3",
    act: "https://peer.example/notes/2",
    accepted: true,
    approval: "6",
  } as const;
  const vote = { uuid: "5", name: "Tea", created: moment, poll: { mid: note, author: follow.person } };

  test.each([
    ["Follow", followOf(hub, follow)],
    ["Accept", answerOf(hub, "Accept", { ...follow, follow: `${follow.person}/follows/1` }, "1")],
    ["Delete", withdrawalOf(hub, "ann", { ...gone, uuid: "3", kind: "note", about: "" })],
    ["Undo", withdrawalOf(hub, "ann", { ...gone, uuid: "4", kind: "like", about: note })],
    ["Remove", removalOf(hub, "ann", "Remove", { ...gone, deed: "remove", object: note, thread: "3" })],
    ["Accept", verdictOf(hub, "ann", quotation, follow.person, "2")],
    ["Delete", revocationOf(hub, "ann", quotation.approval, follow.person)],
    ["vote", voteOf(hub, "ann", follow.person, vote)],
  ])("%s", async (name, activity) => {
    expect(documents).toContainEqual(activity);
    const facts = activityFacts((await thingOf({ "@context": signedContext, ...activity })) as Activity);
    expect(facts.type).toBe(name === "vote" ? "Create" : name);
    expect(facts.objects.length).toBe(1);
  });
});

test("the limits are those of the reader", () => {
  const grouped = (number: number): string => number.toLocaleString("en");
  expect(text).toContain(
    `at most ${jsonLimits.depth} levels and ${grouped(jsonLimits.nodes)} values; of a list ${grouped(mostItems)} members are read, of one of recipients ${grouped(mostRecipients)}`,
  );
});
