import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { makeKeys } from "../../../keys.ts";
import { addXchan } from "./add-xchan.ts";
import type { Channel } from "../channels/channel.ts";
import { observeAs } from "../channels/observe-as.ts";
import { identityHash, signWith } from "./signing.ts";
import { findXchan, findXchans, findXchansByHash } from "./xchans.ts";

let hub: TestHub;
let alma: Channel;
beforeAll(async () => {
  hub = await openTestHub();
  alma = await makeChannel(hub, "alma");
});
afterAll(() => hub.close());

test("an identity is found by hash, guid, address in any case, URL and id", async () => {
  const own = (await findXchan(hub, { id: alma.xchan_id }))!;
  expect(own.xchan_hash).toBe(alma.channel_hash);
  expect(await findXchan(hub, { hash: own.xchan_hash })).toEqual(own);
  expect(await findXchan(hub, { guid: own.xchan_guid })).toEqual(own);
  expect(await findXchan(hub, { address: "ALMA@hub.Example" })).toEqual(own);
  expect(await findXchan(hub, { url: own.xchan_url })).toEqual(own);
  expect(await findXchan(hub, { address: "%" })).toBeUndefined();
  expect(await findXchans(hub, [own.xchan_id, 99_999])).toEqual([own]);
  expect(await findXchans(hub, [])).toEqual([]);
  expect(await findXchansByHash(hub, [own.xchan_hash, "x"])).toEqual([own]);
});

test("a bridge makes an identity known, once", async () => {
  const made = await addXchan(hub, {
    guid: "https://feed.example/1",
    address: "feed@feed.example",
    url: "https://feed.example/",
  });
  expect(made).toMatchObject({
    xchan_hash: "https://feed.example/1",
    xchan_network: "unknown",
    xchan_name: "unknown",
    xchan_photo_m: "http://hub.example/photo/profile/m/0",
  });
  expect(await addXchan(hub, { hash: "https://feed.example/1", name: "Changed" })).toEqual(made);
  expect(await observeAs(hub, made)).toMatchObject({
    xchanId: made.xchan_id,
    hash: made.xchan_hash,
    native: false,
    channelId: 0,
  });
  expect(await addXchan(hub, { hash: alma.channel_hash, name: "Mallory" })).toMatchObject({ xchan_name: "Alma" });
});

test("what is told about a guid does not hide the channel that has it", async () => {
  await addXchan(hub, { hash: "told", guid: alma.channel_guid, url: "http://hub.example/channel/alma" });
  expect(await findXchan(hub, { guid: alma.channel_guid })).toMatchObject({ xchan_id: alma.xchan_id });
  expect(await findXchan(hub, { url: "http://hub.example/channel/alma" })).toMatchObject({ xchan_id: alma.xchan_id });
});

test("a native identity must prove itself", async () => {
  const { rsa } = await makeKeys();
  const guid = randomBytes(64).toString("base64url");
  const proof = { guid, key: rsa.publicKey, guid_sig: await signWith(rsa.privateKey, guid), network: "zot" };
  const hash = identityHash(guid, rsa.publicKey);
  await expect(addXchan(hub, { ...proof, hash: "other" })).rejects.toMatchObject({ kind: "invalid", field: "hash" });
  await expect(addXchan(hub, { ...proof, hash, guid_sig: "AAAA" })).rejects.toMatchObject({ field: "guid_sig" });
  expect(await addXchan(hub, { ...proof, key: rsa.publicKey.trim(), hash })).toMatchObject({ xchan_network: "zot" });
});

test.each([
  [{}, "hash"],
  [{ hash: "a<b>" }, "hash"],
  [{ hash: "n", network: "activitypub" }, "network"],
  [{ hash: "n", network: "token" }, "network"],
  [{ hash: "n", network: "<b>" }, "network"],
  [{ hash: "n", url: "javascript:alert(1)" }, "url"],
  [{ hash: "n", photo: "ftp://x.example/1" }, "photo"],
  [{ hash: "n", photo: "http://127.0.0.1/1" }, "photo"],
  [{ hash: "n", photo: "http://[::1]/1" }, "photo"],
  [{ hash: "n", photo: "http://2130706433/1" }, "photo"],
  [{ hash: "n", photo: "http://192.168.1.1/1" }, "photo"],
  [{ hash: "n", photo: "http://db.internal/1" }, "photo"],
  [{ hash: "n", address: "boss@HUB.example" }, "address"],
  [{ hash: "n", name: "x".repeat(2000) }, "name"],
])("%j is refused because of %s", async (identity, field) => {
  await expect(addXchan(hub, identity)).rejects.toMatchObject({ kind: "invalid", field });
  expect(await findXchan(hub, { hash: "n" })).toBeUndefined();
});
