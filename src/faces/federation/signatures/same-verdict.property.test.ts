import type { KeyObject } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { judges, plainRequest, signers } from "../../../../test/support/signature-oracles.ts";
import { cavageRequest, finding, keys, messageRequest } from "../../../../test/support/signed-requests.ts";
import { size } from "../../../../test/support/size.ts";
import type { Scheme } from "./claim.ts";
import type { Fault } from "./faults.ts";
import type { Received } from "./received.ts";
import { verifyRequest } from "./verify.ts";

/** What we sign, others take, and the other way round; what is damaged, nobody takes, or the list says why somebody does. */

type Whole = { signer: string; method: "GET" | "POST"; target: string };

const targets = { GET: ["/channel/bob", "/outbox/bob?page=2"], POST: ["/inbox/bob"] };
const wholes: Whole[] = Object.keys(signers).flatMap((signer) =>
  (["GET", "POST"] as const).flatMap((method) => targets[method].map((target) => ({ signer, method, target }))),
);

const hasQuery = ({ target }: Whole): boolean => target.includes("?");

/** What somebody else does not take of what is whole, and why. */
const refusals: { judge: string; of: (whole: Whole) => boolean; why: string }[] = [
  {
    judge: "Fedify",
    of: (whole) => hasQuery(whole) && ["us, draft-cavage", "http-signature"].includes(whole.signer),
    why: "By draft-cavage it signs and checks the path without the query.",
  },
  {
    judge: "http-signature",
    of: (whole) => hasQuery(whole) && whole.signer === "Fedify, draft-cavage",
    why: "The same the other way round: it wants the query, and we try both.",
  },
  {
    judge: "http-message-signatures",
    of: (whole) => hasQuery(whole) && whole.signer === "Fedify, draft-cavage",
    why: "As http-signature.",
  },
  {
    judge: "Fedify",
    of: ({ signer }) => signer === "http-message-signatures",
    why: "It takes @query without its question mark; RFC 9421 (2.2.7) has it with.",
  },
];

test.each(wholes)("$method $target signed by $signer is taken", async (whole) => {
  const received = await signers[whole.signer]!(plainRequest(whole.method, whole.target), keys.ann.privateKey);
  const ours = await verifyRequest(received, new Date(), finding(keys.ann.publicKey));
  expect(ours).toMatchObject({ signed: true });
  for (const [name, { schemes, judge }] of Object.entries(judges)) {
    if (!schemes.includes((ours as { scheme: Scheme }).scheme)) continue;
    const refuses = refusals.some((row) => row.judge === name && row.of(whole));
    const taken = await judge(received, keys.ann.publicKey).catch(() => false);
    expect([name, taken]).toEqual([name, !refuses]);
  }
});

type Case = { received: Received; key: KeyObject };

/** What a request is made of, as far as somebody may damage it; `at` and `with` choose the place and what comes there. */
const damages: Record<string, (whole: Case, at: number, letter: string) => Case> = {
  nothing: (whole) => whole,
  "a letter of a header": (whole, at, letter) =>
    withHeaders(whole, (pairs) => {
      const place = at % pairs.length;
      const [name, value] = pairs[place]!;
      const spot = Math.floor(at / pairs.length) % Math.max(1, value.length);
      return pairs.with(place, [name, value.slice(0, spot) + letter + value.slice(spot + 1)]);
    }),
  "a header gone": (whole, at) => withHeaders(whole, (pairs) => pairs.toSpliced(at % pairs.length, 1)),
  "a header by another name": (whole, at) =>
    withHeaders(whole, (pairs) =>
      pairs.with(at % pairs.length, [`x-${pairs[at % pairs.length]![0]}`, pairs[at % pairs.length]![1]]),
    ),
  "a header twice": (whole, at) => withHeaders(whole, (pairs) => [...pairs, pairs[at % pairs.length]!]),
  "a parameter gone": (whole, at) => withParameters(whole, (parts) => parts.toSpliced(at % parts.length, 1)),
  "a parameter twice": (whole, at) => withParameters(whole, (parts) => [...parts, parts[at % parts.length]!]),
  "parameters in another order": (whole, at) =>
    withParameters(whole, (parts) => [...parts.slice(at % parts.length), ...parts.slice(0, at % parts.length)]),
  "another method": (whole, at) => seen(whole, { method: ["PUT", "PATCH", "DELETE"][at % 3]! }),
  "a letter of the path": ({ received, key }, at, letter) => {
    const { target } = received;
    const spot = 1 + (at % (target.length - 1));
    const other = /[a-z0-9]/.test(letter) && /[a-z0-9]/.test(target[spot]!) ? letter : target[spot]!;
    return seen({ received, key }, { target: target.slice(0, spot) + other + target.slice(spot + 1) });
  },
  "another query": (whole, at) => seen(whole, { target: `${whole.received.target.replace(/\?.*/, "")}?page=${at}` }),
  "no query": (whole) => seen(whole, { target: whole.received.target.replace(/\?.*/, "") }),
  "a byte of the body": (whole, at) => {
    const changed = Buffer.from(whole.received.body);
    if (changed.length > 0) changed[at % changed.length]! ^= 1 + (at % 255);
    return seen(whole, { body: changed });
  },
  "a longer body": (whole) => seen(whole, { body: Buffer.concat([whole.received.body, Buffer.from(" ")]) }),
  "the key of somebody else": ({ received }) => ({ received, key: keys.eve.publicKey }),
};

function seen({ received, key }: Case, changes: Partial<Received>): Case {
  return { received: { ...received, ...changes }, key };
}

type Pairs = (readonly [name: string, value: string])[];

function pairsOf({ rawHeaders }: Received): Pairs {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]!] as const] : []));
}

function withHeaders(whole: Case, change: (pairs: Pairs) => Pairs): Case {
  const rawHeaders = change(pairsOf(whole.received)).flat();
  return seen(whole, { rawHeaders, host: rawHeaders[rawHeaders.findIndex((name) => /^host$/i.test(name)) + 1] ?? "" });
}

/** With other parameters of the signature, wherever they stand. */
function withParameters(whole: Case, change: (parts: string[]) => string[]): Case {
  return withHeaders(whole, (pairs) => {
    const place = pairs.findIndex(([name]) => /^signature-input$/i.test(name));
    const at = place < 0 ? pairs.findIndex(([name]) => /^signature$/i.test(name)) : place;
    const [name, value] = pairs[at]!;
    const [, start, rest, between] = /^(sig\d*=\([^)]*\);)(.*)$/.exec(value)?.concat(";") ?? ["", "", value, ","];
    return pairs.with(at, [name, start! + change(rest!.split(between!)).join(between)]);
  });
}

/** For which of our faults others take a request, by who they are, and why. */
const joins = "It sees what comes twice joined, as the Fetch standard has it.";
const oneDigest = "It looks at one of the two digests, and we at both.";
const noDigest = "It leaves digests to its callers.";
const twice = "Of a parameter that is there twice it takes one, and ids of keys may be anything.";
const stricter: Record<string, Partial<Record<Fault, string>>> = {
  Fedify: {
    doubled_header: joins,
    malformed: twice,
    missing_header: "A missing Host it takes from the address.",
    digest_mismatch: oneDigest,
    digest_malformed: oneDigest,
    digest_unknown: oneDigest,
    algorithm: "It goes by the key, whatever the algorithm is said to be.",
  },
  "http-signature": {
    doubled_header: joins,
    malformed: twice,
    digest_mismatch: noDigest,
    digest_malformed: noDigest,
    digest_unknown: noDigest,
    digest_missing: noDigest,
    wrong_host: "It does not know its own name.",
  },
  "http-message-signatures": {
    doubled_header: joins,
    malformed: "It does without the id of the key, or takes any; and by draft-cavage base64 in any form.",
    digest_mismatch: noDigest,
    digest_malformed: noDigest,
    digest_unknown: noDigest,
    digest_missing: noDigest,
    date_outside: "By draft-cavage it looks at no date.",
    date_malformed: "By draft-cavage it looks at no date.",
    algorithm: "It goes by the key, whatever the algorithm is said to be.",
    wrong_host: "It does not know its own name.",
  },
};

/** Where others refuse what we take: of which requests, and why. */
const laxer: { judges: string[]; of: (received: Received, damage: string) => boolean; why: string }[] = [
  {
    judges: ["http-signature", "http-message-signatures"],
    of: (_, damage) => damage === "another query",
    why: "Where the path alone was signed, any query may come with it: Fedify signs that way (contract 8.1).",
  },
  {
    judges: ["http-signature"],
    of: (received) => !signatureText(received).includes('algorithm="'),
    why: "It wants the algorithm named, and the contract does not.",
  },
  {
    judges: ["http-signature"],
    of: (received) => /(^|,)[ \t\w]*[^A-Za-z,="][\w]*=/.test(signatureText(received)),
    why: "It wants names of parameters to consist of letters, also of those that it does not know.",
  },
  {
    judges: ["Fedify"],
    of: (received) => /headers="[^"]*[A-Z]/.test(signatureText(received)),
    why: "It wants the names of headers in small letters.",
  },
  {
    judges: ["Fedify"],
    of: (received) => /keyId="[^"]*,/.test(signatureText(received)),
    why: "For it a comma ends a parameter, even within quotes.",
  },
];

function signatureText(received: Received): string {
  return pairsOf(received).find(([name]) => /^signature$/i.test(name))?.[1] ?? "";
}

type Row = { whole: number; damage: string; at: number; letter: string };

const shifts = [0, -1800, 1800, -7200, 7200];

/** Every way of signing, and ours at other times. */
async function makeWholes(): Promise<Received[]> {
  const signed = wholes.map(({ signer, method, target }) =>
    signers[signer]!(plainRequest(method, target), keys.ann.privateKey),
  );
  // All judge by the machine's clock.
  const seconds = Math.floor(Date.now() / 1000);
  const dated = shifts.flatMap((shift) => {
    const headers = { Date: new Date((seconds + shift) * 1000).toUTCString() };
    return [cavageRequest({ headers }), messageRequest({ parameters: { created: String(seconds + shift) } })];
  });
  return [...(await Promise.all(signed)), ...dated];
}

/** Those who take the request as long as it is whole, and so can tell what damage does. */
function ableTo({ whole }: Row, received: Received): [name: string, judge: (typeof judges)[string]["judge"]][] {
  const scheme = isMessageSignature(received) ? "rfc9421" : "cavage";
  const described = wholes[whole];
  const refuses = (name: string): boolean =>
    refusals.some((row) => row.judge === name && described && row.of(described));
  return Object.entries(judges).flatMap(([name, { schemes, judge }]) =>
    schemes.includes(scheme) && !refuses(name) ? [[name, judge]] : [],
  );
}

function isMessageSignature(received: Received): boolean {
  return pairsOf(received).some(([name]) => /^signature-input$/i.test(name));
}

/** Is everything still there that the signature covers? Fedify covers the path without the query by draft-cavage. */
function sameCovered({ whole: place }: Row, whole: Received, damaged: Received): boolean {
  const text = pairsOf(whole)
    .map(([name, value]) => (/^signature/i.test(name) ? value : ""))
    .join(" ");
  const covered = /headers="([^"]*)"|\("([^)]*)"\)/.exec(text)!;
  const names = (covered[1] ?? covered[2]!).split(/"? "?/);
  const value = (of: Received, wanted: string) => pairsOf(of).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const withoutQuery = !whole.target.includes("?") || wholes[place]?.signer === "Fedify, draft-cavage";
  const samePath = damaged.target.replace(/\?.*/, "") === whole.target.replace(/\?.*/, "");
  return (
    names.every((name) => value(whole, name) === value(damaged, name)) &&
    damaged.method === whole.method &&
    (damaged.target === whole.target || (covered[1] !== undefined && withoutQuery && samePath)) &&
    (whole.method === "GET" || Buffer.compare(whole.body, damaged.body) === 0)
  );
}

test("damaged requests get the same verdict everywhere, or the lists say why not", async () => {
  const all = await makeWholes();
  const rows = fc.record<Row>({
    whole: fc.nat(all.length - 1),
    damage: fc.constantFrom(...Object.keys(damages)),
    at: fc.nat(9999),
    letter: fc.constantFrom(...'abcxyz0189ABC+/=;,:()"\\ _-'),
  });
  await fc.assert(
    fc.asyncProperty(rows, async (row) => {
      const whole = { received: all[row.whole]!, key: keys.ann.publicKey };
      const { received, key } = damages[row.damage]!(whole, row.at, row.letter);
      const ours = await verifyRequest(received, new Date(), finding(key));
      if (ours.signed)
        expect({ same: sameCovered(row, whole.received, received), key }).toEqual({ same: true, key: whole.key });
      for (const [name, judge] of ableTo(row, received)) {
        const theirs = await judge(received, key).catch(() => false);
        const said = ours.signed
          ? laxer.some((one) => one.judges.includes(name) && one.of(received, row.damage))
          : stricter[name]![ours.fault] !== undefined;
        const unsaid = said || theirs === ours.signed ? undefined : { name, ours, theirs };
        expect(unsaid).toBeUndefined();
      }
    }),
    { numRuns: size(400, 10_000) },
  );
});
