import { anonymous } from "../../../../test/support/observers.ts";
import { createGuest } from "../../connections/connections.ts";
import { setConfig } from "../../identity/channels/channel-config.ts";
import { guestByToken } from "../../identity/channels/guests.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { limits } from "../../identity/channels/roles.ts";
import { expect, test } from "vitest";
import type { TestHub } from "../../../../test/support/hub.ts";
import { copyOf, deliver, nobody } from "../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import { findShare } from "../../bodies/share.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { deleteItem } from "./delete.ts";
import { editItem } from "./edit.ts";
import { postItem } from "./post.ts";
import { shareItem } from "./share.ts";
import { assembleStatuses } from "../timelines/statuses.ts";
import type { Item } from "../types.ts";

let hub: TestHub;
let round: number;
let alice: Channel;
let bob: Channel;
let carol: Channel;

beforeEachThreePeople("one after the other", (people) => {
  ({ hub, round, alice, bob, carol } = people);
});

async function originalFor(who: Channel | undefined, share: Item): Promise<string | undefined> {
  const copy = (who && (await copyOf(hub, who, share))) ?? share;
  return (await assembleStatuses(hub, who ? observerOf(who) : anonymous, [copy])).originals.get(share.shared_id)?.body;
}

test("a share repeats the original, and leads to it", async () => {
  const top = await postItem(hub, alice, { body: "News [b]bold[/b]", title: "Head" });
  await deliver(hub);
  const share = await shareItem(hub, bob, { mid: top.mid }, "client");
  expect(share).toMatchObject({ author_id: bob.xchan_id, shared_id: top.message_id, app: "client", item_private: 0 });
  expect(findShare(share.body)).toMatchObject({
    added: "",
    share: {
      author: `Alice${round}`,
      link: top.plink,
      messageId: top.mid,
      posted: top.created,
      body: "[b]Head[/b]\nNews [b]bold[/b]",
    },
  });
  await deliver(hub);
  for (const who of [alice, bob, carol, undefined]) expect(await originalFor(who, share)).toBe(top.body);
});

test("a share of a share repeats the innermost one; one with words of its own is a post", async () => {
  const top = await postItem(hub, alice, { body: "News" });
  await deliver(hub);
  const share = await shareItem(hub, bob, { mid: top.mid });
  await deliver(hub);
  const again = await shareItem(hub, carol, { mid: share.mid });
  expect(again.body).toBe(share.body);
  expect(again.shared_id).toBe(top.message_id);
  const quote = await postItem(hub, bob, { body: `Look:\n${share.body}` });
  await deliver(hub);
  const quoted = await shareItem(hub, carol, { mid: quote.mid });
  expect(quoted.shared_id).toBe(quote.message_id);
});

test("what is private, unseen or empty cannot be shared", async () => {
  const secret = await postItem(hub, alice, { body: "psst", audience: { ...nobody, allow_cid: [bob.channel_hash] } });
  const empty = await postItem(hub, alice, { body: "", allowEmpty: true });
  await deliver(hub);
  await expect(shareItem(hub, bob, { mid: secret.mid })).rejects.toMatchObject({ kind: "denied" });
  await expect(shareItem(hub, carol, { mid: secret.mid })).rejects.toMatchObject({ kind: "missing" });
  await expect(shareItem(hub, bob, { mid: empty.mid })).rejects.toMatchObject({ kind: "denied" });
});

test("a share that somebody made by hand shows no more than its original would", async () => {
  const secret = await postItem(hub, alice, { body: "psst", audience: { ...nobody, allow_cid: [bob.channel_hash] } });
  await deliver(hub);
  const share = await postItem(hub, bob, { body: `[share author='x' message_id='${secret.mid}']claim[/share]` });
  await deliver(hub);
  expect(share.shared_id).toBe(secret.message_id);
  expect(await originalFor(bob, share)).toBe("psst");
  expect(await originalFor(carol, share)).toBeUndefined();
  expect(await originalFor(undefined, share)).toBeUndefined();
});

test("a guest sees the original where the channel shows its posts to whom it knows", async () => {
  const { atoken_token } = await createGuest(hub, alice, { name: `Granny ${round}` });
  const { observer } = (await guestByToken(hub, atoken_token, { blockPublic: false }))!;
  const original = await postItem(hub, alice, { body: "News" });
  await deliver(hub);
  const share = await shareItem(hub, bob, { mid: original.mid });
  await setConfig(hub, alice.channel_id, "perm_limits", "view_stream", String(limits.authenticated));
  const shown = async (who: Observer) => (await assembleStatuses(hub, who, [share])).originals.get(share.shared_id);
  expect([await shown(observer), await shown(anonymous)]).toMatchObject([{ body: "News" }, undefined]);
  const elsewhere = await guestByToken(hub, (await createGuest(hub, bob, { name: "Aunt" })).atoken_token, {
    blockPublic: false,
  });
  expect(await shown(elsewhere!.observer)).toBeUndefined();
});

test("shares are counted while they stand", async () => {
  const top = await postItem(hub, alice, { body: "News" });
  await deliver(hub);
  const share = await shareItem(hub, bob, { mid: top.mid });
  const other = await shareItem(hub, carol, { mid: top.mid });
  const count = async (who: Channel) =>
    (await assembleStatuses(hub, observerOf(who), [top])).shares.get(top.message_id);
  expect(await count(bob)).toMatchObject({ count: 2, mine: true });
  expect(await count(alice)).toMatchObject({ count: 2, mine: false });
  await deleteItem(hub, carol, { id: other.id });
  expect(await count(carol)).toMatchObject({ count: 1, mine: false });
  await editItem(hub, bob, share.id, { body: "Never mind" });
  expect(await count(bob)).toBeUndefined();
});

test("a share of what was deleted leads nowhere", async () => {
  const top = await postItem(hub, alice, { body: "News" });
  await deliver(hub);
  const share = await shareItem(hub, bob, { mid: top.mid });
  await deleteItem(hub, alice, { id: top.id });
  expect(await originalFor(bob, share)).toBeUndefined();
});
