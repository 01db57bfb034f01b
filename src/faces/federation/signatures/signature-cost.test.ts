import { verify } from "node:crypto";
import { expect, test } from "vitest";
import { cavageRequest, finding, keys, messageRequest, now } from "../../../../test/support/signed-requests.ts";
import { verifyRequest } from "./verify.ts";

/** What judging a request costs beside the one RSA verification that it cannot do without. */

const most = { cavage: 4, rfc9421: 6 };
const rounds = 400;

test.each([
  ["cavage", cavageRequest({ body: Buffer.alloc(2000, "x") })],
  ["rfc9421", messageRequest({ body: Buffer.alloc(2000, "x") })],
] as const)("%s", async (scheme, received) => {
  const key = keys.ann.publicKey;
  const find = finding(key);
  const [signature, text] = [Buffer.alloc(256, 1), Buffer.alloc(300)];
  const judge = async () => void (await verifyRequest(received, now, find));
  const bare = () => void verify("sha256", text, key, signature);
  const ratios: number[] = [];
  for (let turn = 0; turn < 5; turn++) ratios.push((await cpuOf(judge)) / (await cpuOf(bare)));
  expect(Math.min(...ratios)).toBeLessThan(most[scheme]);
});

async function cpuOf(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
