import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { onPostgres, openTestHub } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { befriend, deliver, newcomer } from "../../test/support/people.ts";
import { sweepUploads } from "../domain/cloud/pieces.ts";
import { sweepOauth } from "../domain/identity/applications/oauth-sweep.ts";
import type { Channel } from "../domain/identity/channels/channel.ts";
import { updateChannel } from "../domain/identity/channels/channels.ts";
import { deleteItem } from "../domain/items/posting/delete.ts";
import { postItem } from "../domain/items/posting/post.ts";
import { dropThreadsOf, expireThreads } from "../domain/items/posting/trim.ts";
import type { Item } from "../domain/items/types.ts";
import { inPieces } from "../storage/sql.ts";

/** No statement of what tidies up takes many rows at once, because nobody else goes on before it is done. */

let hub: TestHub;
let deleted: string[];
let dropped: number;
const old = "2020-01-01 00:00:00";
const many = Array.from({ length: 1200 }, (_, n) => n);

beforeAll(async () => {
  hub = await openTestHub({
    onQuery({ query }) {
      const table = /^delete from "(\w+)"/.exec(query.sql)?.[1];
      if (table) deleted.push(table);
      if (query.sql.startsWith('update "item" set "item_deleted"')) dropped += 1;
    },
  });
});
beforeEach(() => {
  deleted = [];
  dropped = 0;
});
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

describe("a thread of many answers", () => {
  let alice: Channel;
  let bob: Channel;
  let top: Item;

  beforeAll(async () => {
    alice = await newcomer(hub, "alice");
    bob = await newcomer(hub, "bob");
    await befriend(hub, alice, bob);
  });

  beforeEach(async () => {
    top = await postItem(hub, alice, { body: "What do you think?" });
    await deliver(hub);
    const answer = await postItem(hub, alice, { body: "I think a lot", parent: { mid: top.mid } });
    await deliver(hub);
    await multiply(answer);
    deleted = [];
    dropped = 0;
  });

  async function multiply({ message_id }: Item): Promise<void> {
    const message = hub.db.selectFrom("message").selectAll().where("id", "=", message_id);
    const { id: _, ...text } = await message.executeTakeFirstOrThrow();
    const copies = await hub.db.selectFrom("item").selectAll().where("message_id", "=", message_id).execute();
    for (const some of inPieces(many)) {
      const texts = some.map((n) => ({ ...text, mid: `${text.mid}-${n}`, uuid: `${text.uuid}-${n}` }));
      const messages = await hub.db.insertInto("message").values(texts).returning("id").execute();
      for (const { id: _, item_normal: __, ...copy } of copies) {
        const more = messages.map((message) => ({ ...copy, message_id: message.id }));
        await hub.db.insertInto("item").values(more).execute();
      }
    }
    // As in operation: plans from when there were next to no rows read all that there are now, once for each row.
    if (onPostgres) await sql`analyze item, message, search`.execute(hub.db);
  }

  async function left(who: Channel): Promise<number> {
    const rows = hub.db.selectFrom("item").select("id").where("uid", "=", who.channel_id).where("item_deleted", "=", 0);
    return (await rows.execute()).length;
  }

  test("expires", async () => {
    await updateChannel(hub, bob.channel_id, { expireDays: 3 });
    hub.advance(5 * 86_400);
    await expireThreads(hub);
    expect([await left(alice), await left(bob)]).toEqual([many.length + 2, 0]);
    expect(dropped).toBeGreaterThan(2);
    await deleteItem(hub, alice, { id: top.id });
  });

  test("goes with the person who began it", async () => {
    await dropThreadsOf(hub, bob.channel_id, alice.channel_hash);
    expect([await left(alice), await left(bob)]).toEqual([many.length + 2, 0]);
    expect(dropped).toBeGreaterThan(2);
    await deleteItem(hub, alice, { id: top.id });
  });

  test("is deleted by the person who began it", async () => {
    await deleteItem(hub, alice, { id: top.id });
    expect([await left(alice), await left(bob)]).toEqual([0, 0]);
    expect(dropped).toBeGreaterThan(5);
    expect(statements("term")).toBeGreaterThan(2);
  });
});
