import { createAdaptorServer } from "@hono/node-server";
import { createPrivateKey } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { privateKeysOf } from "../../src/domain/identity/xchans/signing.ts";
import { signerOf } from "../../src/faces/federation/signatures/sign.ts";
import type { Signer } from "../../src/faces/federation/signatures/sign.ts";
import { copyOf, follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, Neighbour, TestHubs } from "../support/hubs.ts";

/** Two hubs of this kind, one of which refuses draft-cavage, on real sockets (federation contract 8, 12.3, 13). */

const mebibyte = 1024 * 1024;
let world: TestHubs;
let ann: Inhabitant;
let ben: Inhabitant;
/** Deliveries that ben's hub has refused because of the way in which they were signed. */
let refused = 0;
let picky: ReturnType<typeof createAdaptorServer>;

beforeAll(async () => {
  world = await openHubs(2);
  [ann, ben] = [await inhabitant(world.hubs[0]!, "ann"), await inhabitant(world.hubs[1]!, "ben")];
  await ben.at.leave();
  const { hostname, port } = new URL(ben.at.url);
  picky = createAdaptorServer({
    hostname,
    fetch(request: Request, ...rest: unknown[]) {
      const isCavage = request.method === "POST" && !request.headers.has("signature-input");
      if (!isCavage) return (ben.at.app.fetch as (...all: unknown[]) => Promise<Response>)(request, ...rest);
      refused += 1;
      return new Response(null, { status: 401 });
    },
  });
  await new Promise<void>((resolve) => picky.listen(Number(port), hostname, resolve));
});
afterAll(async () => {
  await new Promise((resolve) => picky.close(resolve));
  await world.close();
});
beforeEach(() => void (refused = 0));

/** How a hub took what came from the other one, in the order in which it came. */
async function waysAt({ hub }: Neighbour): Promise<string[]> {
  const rows = await hub.db.selectFrom("inbox_activity").select("scheme").orderBy("id").execute();
  return rows.map(({ scheme }) => scheme);
}

test("what is refused goes by RFC 9421, and so does all that follows, both ways", async () => {
  await follows(world, ann, ben);
  expect([await waysAt(ben.at), await waysAt(ann.at), refused]).toEqual([["rfc9421"], ["rfc9421"], 1]);
  await follows(world, ben, ann);
  const { mid } = (await ann.post("/api/z/1.0/item/update", { body: "Hello" })).json.item;
  await world.settle();
  expect(await copyOf(ben, mid)).toMatchObject({ body: "Hello", author: ann.id });
  expect([new Set(await waysAt(ben.at)), new Set(await waysAt(ann.at)), refused]).toEqual([
    new Set(["rfc9421"]),
    new Set(["rfc9421"]),
    1,
  ]);
});

test("nobody asks both ways again for a week", async () => {
  const post = async (body: string) => {
    await ann.post("/api/z/1.0/item/update", { body });
    await world.settle();
  };
  world.advance(6 * 24 * 3600);
  await post("Six days later");
  expect(refused).toBe(0);
  world.advance(8 * 24 * 3600);
  await post("Eight days later");
  expect(refused).toBe(1);
});

let count = 0;

/** How ben's hub answers what ann's sends by RFC 9421, with a body of so many bytes; and how when the same comes again. */
async function answerTo({ size = 0, skew = 0, packed = false } = {}): Promise<
  [status: number, again: () => Promise<number>]
> {
  const { rsa } = await privateKeysOf(ann.at.hub, ann.channel.channel_id);
  const start = `{"id":"${ann.id}#undo-${(count += 1)}","type":"Undo","actor":"${ann.id}","object":"${ann.id}#like","summary":"`;
  const text = `${start}${"a".repeat(Math.max(0, size - start.length - 2))}"}`;
  const clock = (): Date => new Date(ann.at.hub.clock().getTime() + skew * 1000);
  const sign = once(signerOf({ id: `${ann.id}#main-key`, object: createPrivateKey(rsa) }, "rfc9421", clock));
  const send = async (): Promise<number> => {
    const answer = await ann.at.hub.fetch(`${ben.at.url}/inbox/${ben.nick}`, {
      method: "POST",
      purpose: "delivery",
      headers: { "content-type": "application/activity+json", ...(packed && { "content-encoding": "gzip" }) },
      body: packed ? gzipSync(text) : Buffer.from(text),
      sign,
    });
    return answer.status;
  };
  return [await send(), send];
}

/** Signs the first request, and gives the others the same signature. */
function once(sign: Signer): Signer {
  let signed: ReturnType<Signer> | undefined;
  return (request) => (signed ??= sign(request));
}

test("a mebibyte is taken and a byte more is not, and nothing that is packed", async () => {
  for (const [request, status] of [
    [{ size: mebibyte }, 202],
    [{ size: mebibyte + 1 }, 413],
    [{ packed: true }, 415],
  ] as const)
    expect([request, (await answerTo(request))[0]]).toEqual([request, status]);
});

test("clocks may be an hour apart, and no more", async () => {
  for (const [skew, status] of [
    [3590, 202],
    [-3590, 202],
    [3610, 401],
    [-3610, 401],
  ] as const)
    expect([skew, (await answerTo({ skew }))[0]]).toEqual([skew, status]);
});

test("what comes again is taken again and counts once", async () => {
  const before = (await waysAt(ben.at)).length;
  const [status, again] = await answerTo();
  expect([status, await again(), await again()]).toEqual([202, 202, 202]);
  expect(await waysAt(ben.at)).toHaveLength(before + 1);
});
