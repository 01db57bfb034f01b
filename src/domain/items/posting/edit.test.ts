import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import {
  befriend,
  copyOf,
  deliver,
  everything,
  newcomer,
  nobody,
  statusCount,
} from "../../../../test/support/people.ts";
import { zeroDate } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { addXchan } from "../../identity/xchans/add-xchan.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import { loadTerms } from "../assemble.ts";
import { deleteItem } from "./delete.ts";
import { editItem } from "./edit.ts";
import { findByRemoteId } from "../metadata.ts";
import { postItem } from "./post.ts";
import { saveTerms } from "../save.ts";
import type { Item } from "../types.ts";

let hub: TestHub;
let round = 0;
let alice: Channel;
let bob: Channel;

beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

beforeEach(async () => {
  round += 1;
  hub.setClock("2026-03-01T12:00:00Z");
  alice = await newcomer(hub, `alice${round}`);
  bob = await newcomer(hub, `bob${round}`);
  await befriend(hub, alice, bob);
});

async function termsOf(item: Item): Promise<[number, string][]> {
  const terms = (await loadTerms(hub, [item.message_id], alice.channel_id)).get(item.message_id) ?? [];
  return terms.map(({ ttype, term }) => [ttype, term]);
}

test("an edit changes the text everywhere and keeps the rest", async () => {
  const item = await postItem(hub, alice, {
    body: "old #one",
    title: "Head",
    coord: "1 2",
    location: "Here",
    app: "Client",
    verb: "create",
    categories: ["cat"],
  });
  await deliver(hub);
  hub.advance(60);
  const edited = await editItem(hub, alice, item.id, { body: ` new #two @bob${round} ` });
  const { edited: when, changed, revision, body, html, plain, sig, ...kept } = edited;
  expect({ when, changed, revision }).toEqual({
    when: "2026-03-01 12:01:00",
    changed: "2026-03-01 12:01:00",
    revision: 1,
  });
  expect(plain).toContain("new");
  expect(html).toContain("new");
  expect(verifySignature(alice.channel_pubkey, body, sig)).toBe(true);
  expect(item).toMatchObject(kept);
  expect(await termsOf(item)).toEqual([
    [2, `Bob${round}`],
    [1, "two"],
    [3, "cat"],
  ]);
  expect(await copyOf(hub, bob, item)).toMatchObject({ body, revision: 1, changed, commented: item.commented });
  expect((await editItem(hub, alice, item.id, { body: "newer" })).revision).toBe(2);
  expect(await statusCount(hub, alice)).toBe(1);
});

test("terms that others have added survive", async () => {
  const item = await postItem(hub, alice, { body: "old #one", categories: ["cat"] });
  await saveTerms(hub, item.message_id, [{ ttype: 10, term: "theirs", url: "" }]);
  await saveTerms(hub, item.message_id, [{ ttype: 5, term: "folder", url: "" }], alice.channel_id);
  await editItem(hub, alice, item.id, { body: "new", categories: [] });
  expect(await termsOf(item)).toEqual([
    [10, "theirs"],
    [5, "folder"],
  ]);
});

test("what the request names is changed", async () => {
  const item = await postItem(hub, alice, { body: "old" });
  const fields = {
    title: "T",
    location: "L",
    coord: "3,4",
    app: "A",
    consensus: true,
    nocomment: true,
    commentsClosed: "2026-04-01 00:00:00",
    mimetype: "text/plain",
    plink: "http://x.example/",
  };
  expect(
    await editItem(hub, alice, item.id, { body: "new", verb: "share", objType: "photo", ...fields }),
  ).toMatchObject({
    title: "T",
    location: "L",
    coord: "3 4",
    app: "A",
    item_consensus: 1,
    item_nocomment: 1,
    comments_closed: "2026-04-01 00:00:00",
    mimetype: "text/plain",
    plink: "http://x.example/",
    verb: "http://activitystrea.ms/schema/1.0/share",
    obj_type: "http://activitystrea.ms/schema/1.0/photo",
  });
  expect(
    await editItem(hub, alice, item.id, { body: "new", nocomment: false, commentsClosed: zeroDate }),
  ).toMatchObject({ item_nocomment: 0, comments_closed: zeroDate });
});

test("the audience stays, but pages may change theirs, and their names", async () => {
  const audience = { ...nobody, allow_cid: [bob.channel_hash] };
  const item = await postItem(hub, alice, { body: "x" });
  expect(await editItem(hub, alice, item.id, { body: "y", audience })).toMatchObject({
    item_private: 0,
    allow_cid: "",
  });
  const page = await postItem(hub, alice, { body: "x", itemType: 3, pageTitle: "home" });
  await postItem(hub, alice, { body: "x", itemType: 3, pageTitle: "other" });
  expect(await editItem(hub, alice, page.id, { body: "y", audience, pageTitle: "start" })).toMatchObject({
    item_private: 1,
    allow_cid: `<${bob.channel_hash}>`,
  });
  expect(await findByRemoteId(hub, alice.channel_id, "WEBPAGE", "start")).toBe(page.id);
  expect(await findByRemoteId(hub, alice.channel_id, "WEBPAGE", "home")).toBeUndefined();
  await editItem(hub, alice, page.id, { body: "z", pageTitle: "start" });
  const before = await everything(hub);
  await expect(editItem(hub, alice, page.id, { body: "no", pageTitle: "other" })).rejects.toMatchObject({
    kind: "conflict",
  });
  expect(await everything(hub)).toEqual(before);
});

test("an edited comment is news for its thread", async () => {
  const top = await postItem(hub, alice, { body: "top" });
  await deliver(hub);
  const comment = await postItem(hub, bob, { body: "one", parent: { mid: top.mid } });
  hub.advance(60);
  await editItem(hub, bob, comment.id, { body: "two" });
  expect(await copyOf(hub, alice, top)).toMatchObject({
    changed: "2026-03-01 12:01:00",
    commented: "2026-03-01 12:00:00",
  });
  expect((await copyOf(hub, alice, comment))!.body).toBe("two");
});

test("only the author edits, and only what is there", async () => {
  const top = await postItem(hub, alice, { body: "top" });
  const onWall = await postItem(hub, bob, { body: "hi", wall: alice.channel_id });
  const remote = await addXchan(hub, { hash: `remote-${round}`, name: "Rita", network: "rss" });
  const foreign = await postItem(hub, alice, { body: "x", remoteXchan: remote.xchan_hash });
  await deliver(hub);
  const copy = (await copyOf(hub, bob, top))!;
  await expect(editItem(hub, bob, copy.id, { body: "y" })).rejects.toMatchObject({ kind: "denied" });
  await expect(editItem(hub, bob, top.id, { body: "y" })).rejects.toMatchObject({ kind: "missing" });
  await expect(editItem(hub, alice, onWall.id, { body: "y" })).rejects.toMatchObject({ kind: "denied" });
  await expect(editItem(hub, alice, foreign.id, { body: "y" })).rejects.toMatchObject({ kind: "denied" });
  await expect(editItem(hub, alice, 987_654, { body: "y" })).rejects.toMatchObject({ kind: "missing" });
  await expect(editItem(hub, alice, top.id, { body: " " })).rejects.toMatchObject({
    kind: "invalid",
    code: "no_content",
  });
  await deleteItem(hub, alice, { id: top.id });
  await expect(editItem(hub, alice, top.id, { body: "y" })).rejects.toMatchObject({ kind: "missing" });
});

test("an expiry can be set, moved and taken away", async () => {
  const item = await postItem(hub, alice, { body: "x", expires: "2026-03-02 00:00:00" });
  await editItem(hub, alice, item.id, { body: "x", expires: "2026-03-04 00:00:00" });
  hub.setClock("2026-03-03T00:00:00Z");
  await deliver(hub);
  expect((await copyOf(hub, alice, item))!.item_deleted).toBe(0);
  hub.setClock("2026-03-04T00:00:00Z");
  await deliver(hub);
  expect((await copyOf(hub, alice, item))!.item_deleted).toBe(1);
  const other = await postItem(hub, alice, { body: "x", expires: "2026-03-05 00:00:00" });
  await editItem(hub, alice, other.id, { body: "x", expires: zeroDate });
  hub.setClock("2026-03-06T00:00:00Z");
  await deliver(hub);
  expect((await copyOf(hub, alice, other))!.item_deleted).toBe(0);
});
