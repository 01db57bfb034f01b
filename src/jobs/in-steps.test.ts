import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestHub } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { sweepUploads } from "../domain/cloud/pieces.ts";
import { sweepOauth } from "../domain/identity/applications/oauth-sweep.ts";

/** No statement of what tidies up takes many rows at once, because nobody else goes on before it is done. */

let hub: TestHub;
let deleted: string[];
const old = "2020-01-01 00:00:00";
const many = Array.from({ length: 1200 }, (_, n) => n);

beforeAll(async () => {
  hub = await openTestHub({
    onQuery({ query }) {
      const table = /^delete from "(\w+)"/.exec(query.sql)?.[1];
      if (table) deleted.push(table);
    },
  });
});
beforeEach(() => (deleted = []));
afterAll(() => hub.close());

const statements = (table: string): number => deleted.filter((name) => name === table).length;

async function rowsOf(table: "oauth_token" | "oauth_nonce" | "upload" | "upload_piece"): Promise<number> {
  const { n } = await hub.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(n);
}

test("tokens and nonces", async () => {
  const tokens = many.map((n) => ({
    client_id: 1,
    uid: 1,
    kind: "request",
    token: `t${n}`,
    secret: "s",
    created: old,
    expires: old,
  }));
  await hub.db.insertInto("oauth_token").values(tokens).execute();
  const nonces = many.map((n) => ({ digest: `000000000001.${n}` }));
  await hub.db.insertInto("oauth_nonce").values(nonces).execute();
  await sweepOauth(hub);
  expect([await rowsOf("oauth_token"), await rowsOf("oauth_nonce")]).toEqual([0, 0]);
  expect([statements("oauth_token"), statements("oauth_nonce")]).toEqual([3, 3]);
});

test("uploads, and the pieces of one", async () => {
  const uploads = many.map(() => ({ uid: 1, total_bytes: 1, media_type: "image/png", created: old }));
  await hub.db.insertInto("upload").values(uploads).execute();
  const { id } = await hub.db.selectFrom("upload").select("id").orderBy("id").executeTakeFirstOrThrow();
  const pieces = many.map((n) => ({ upload_id: id, position: n, size: 1, blob: `b${n}` }));
  await hub.db.insertInto("upload_piece").values(pieces).execute();
  await sweepUploads(hub);
  expect([await rowsOf("upload"), await rowsOf("upload_piece")]).toEqual([0, 0]);
  expect([statements("upload"), statements("upload_piece")]).toEqual([3, 3]);
});
