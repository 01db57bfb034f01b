import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTarPacker } from "modern-tar";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { exportArchive } from "../src/domain/export/archive.ts";
import { setStorageQuota, storageUsed } from "../src/domain/files/quota.ts";
import { findAccount } from "../src/domain/identity/accounts/accounts.ts";
import { findChannelById } from "../src/domain/identity/channels/channels.ts";
import { identityHash } from "../src/domain/identity/xchans/signing.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { makeKeys } from "../src/keys.ts";
import type { KeyPair } from "../src/keys.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import type { Client } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { channelExport, itemsPage, signed } from "./support/hubzilla.ts";
import type { Json } from "./support/hubzilla.ts";
import { picture } from "./support/pictures.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** Imports by which somebody would pass as somebody else: through the page, and what all doors then show (decision 27). */

const mostBytesOfImage = 200_000;

let app: TestApp;
let alice: Person;
let browser: Visitor;
let keys: KeyPair;
let strangerKeys: KeyPair;

beforeAll(async () => {
  const env = { HUBBUB_MAX_IMAGE: String(mostBytesOfImage) };
  app = await openTestApp({ clock: "2026-12-01T12:00:00Z", env });
  alice = await app.person("alice");
  await app.person("eve");
  browser = visitorOf(app.app);
  await browser.logIn("eve", password);
  [keys, strangerKeys] = await Promise.all([makeKeys(), makeKeys()]).then((pairs) => [pairs[0].rsa, pairs[1].rsa]);
});

afterAll(() => app.close());

/** The export of a channel with an identity of its own that nobody knows. */
function madeUp(nick: string, more: Json = {}): Json {
  const value = channelExport(keys);
  const [guid, hash, old] = [randomUUID(), randomUUID(), value["channel"].channel_hash as string];
  const guid_sig = signed(keys, guid);
  const channel = { channel_guid: guid, channel_guid_sig: guid_sig, channel_hash: hash, channel_address: nick };
  Object.assign(value["channel"], channel, { channel_name: `Really ${nick}` });
  value["xchan"] = value["xchan"].filter((one: Json) => one["xchan_hash"] !== old);
  value["hubloc"] = [];
  value["relocate"] = { channel_address: nick, url: "https://far.example" };
  return { ...value, ...more };
}

/** Brings the export in by the page; answers the report page as plain text and the nick that the channel got. */
async function bring(value: Json | Buffer, mode = "clone"): Promise<{ words: string; nick: string; id: number }> {
  await browser.get("/import");
  const file = new File([Buffer.isBuffer(value) ? new Uint8Array(value) : JSON.stringify(value)], "export");
  const form = { mode, posts: "1", url: "", login: "", password: "", nick: "", file };
  const { location } = await browser.post("/import", form);
  await app.work();
  const words = (await browser.get(location)).text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  const run = await app.hub.db
    .selectFrom("import_run")
    .select("channel_id")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  const channel = await findChannelById(app.hub, run.channel_id);
  return { words, nick: channel?.channel_address ?? "", id: run.channel_id };
}

const as = (nick: string): Client => clientOf(app.app, `${nick}:${password}`);

describe("a channel that comes from elsewhere", () => {
  test("and says that it is from here is refused", async () => {
    const relocate = { channel_address: "alice", url: "http://HUB.example:80/" };
    const { words, id } = await bring(madeUp("alice", { relocate }));
    expect(words).toContain("it comes from this hub, but its channel does not live here");
    expect(id).toBe(0);
  });

  test.each(["clone", "primary", "moving"])(
    "is shown with its own nick, host and URL by every door, in mode %s",
    async (mode) => {
      const value = madeUp("alice", { item: [] });
      const { nick } = await bring(value, mode);
      expect(nick).toMatch(/^alice\d{4}$/);
      const posted = await as(nick).post("/api/statuses/update", { status: `I am @${nick}@hub.example` });
      expect(posted.json.user).toMatchObject({ screen_name: nick, url: `http://hub.example/channel/${nick}` });
      const shown = await alice.get("/api/users/show", { screen_name: nick });
      expect(shown.json).toMatchObject({
        screen_name: nick,
        name: "Really alice",
        url: `http://hub.example/channel/${nick}`,
      });
      expect(shown.json.profile_image_url).toMatch(/^http:\/\/hub\.example\/photo\/profile\//);
      const hash = value["channel"].channel_hash as string;
      const xchan = await alice.get("/api/z/1.0/xchan", { hash });
      expect(xchan.json).toMatchObject({
        address: `${nick}@hub.example`,
        url: `http://hub.example/channel/${nick}`,
        connurl: `http://hub.example/poco/${nick}`,
      });
      const own = (await as(nick).get("/api/z/1.0/channel/export/basic")).json;
      expect(own.relocate).toEqual({ channel_address: nick, url: "http://hub.example" });
      expect(own.xchan.find((one: Json) => one["xchan_hash"] === hash)).toMatchObject({
        xchan_addr: `${nick}@hub.example`,
      });
      const stream = await as(nick).get("/api/z/1.0/network/stream", { records: 1 });
      expect(stream.json[0].author).toMatchObject({ address: `${nick}@hub.example` });
      const page = (await browser.get(`/channel/${nick}`)).text;
      expect(page).toContain(`${nick}@hub.example`);
      expect(page).not.toContain("far.example");
      expect((await browser.get(`/feed/${nick}`)).text).not.toContain("far.example");
    },
  );

  test("keeps where it was as a former location", async () => {
    const { nick, id } = await bring(madeUp("wanda"), "moving");
    await browser.get("/manage");
    await browser.post("/manage", { channel: String(id), do: "use" });
    const settings = (await browser.get("/settings/channel")).text.replaceAll(/<[^>]*>/g, "");
    expect(settings).toContain("wanda@hub.example: this hub");
    expect(settings).toContain("wanda@far.example: a former location");
    const own = (await as(nick).get("/api/z/1.0/channel/export/basic")).json;
    const locations = own.hubloc.filter((one: Json) => one["hubloc_hash"] === own.channel.channel_hash);
    expect(
      locations.map((one: Json) => [
        one["hubloc_addr"],
        one["hubloc_url"],
        one["hubloc_primary"],
        one["hubloc_deleted"],
      ]),
    ).toEqual([
      ["wanda@hub.example", "http://hub.example", "1", "0"],
      ["wanda@far.example", "https://far.example", "0", "1"],
    ]);
  });
});

describe("what an export says about others", () => {
  const guid = randomUUID();
  let nick: string;
  let words: string;

  const stranger = (more: Json): Json => ({
    xchan_guid: guid,
    xchan_guid_sig: signed(strangerKeys, guid),
    xchan_hash: identityHash(guid, strangerKeys.publicKey),
    xchan_pubkey: strangerKeys.publicKey,
    xchan_network: "zot",
    xchan_name: "The President",
    ...more,
  });
  const known = (address: string, host = "gov.example"): Json =>
    stranger({ xchan_addr: address, xchan_url: `https://${host}/channel/president` });
  /** An identity of no network with signatures. */
  const other = (name: string, more: Json): Json => ({
    xchan_hash: name,
    xchan_guid: "",
    xchan_network: "rss",
    xchan_name: name,
    ...more,
  });
  const connection = (hash: string): Json => ({ abook_xchan: hash, abook_created: "2026-01-01 00:00:00" });

  beforeAll(async () => {
    const script = "javascript:alert(1)";
    const xchan = [
      known("president@gov.example"),
      other("script", {
        xchan_addr: "script@evil.example",
        xchan_url: script,
        xchan_connurl: script,
        xchan_follow: "java\tscript:alert(1)",
        xchan_connpage: "data:text/html,x",
        xchan_photo_l: script,
        xchan_photo_m: script,
        xchan_photo_s: "vbscript:x",
        xchan_instance_url: script,
      }),
      other("forked", { xchan_addr: "chief@gov.example", xchan_url: "https://evil.example/chief" }),
      other("mirror", {
        xchan_url: "http://hub.example/channel/alice",
        xchan_photo_m: "http://hub.example/photo/profile/m/1",
      }),
      other("squatter", { xchan_addr: "admin@HUB.example:80" }),
    ];
    const abook = ["script", "forked", "mirror", xchan[0]!["xchan_hash"] as string].map(connection);
    const value = madeUp("mallory", { xchan, abook });
    value["abook"].push({ abook_xchan: value["channel"].channel_hash, abook_self: 1 });
    ({ words, nick } = await bring(value));
  });

  test("answers no look-up, is no target of mentions, and nobody finds it", async () => {
    const look = async (path: string, query: Json): Promise<number> => (await alice.get(path, query)).status;
    expect(await look("/api/z/1.0/xchan", { address: "president@gov.example" })).toBe(404);
    expect(await look("/api/z/1.0/xchan", { guid })).toBe(404);
    for (const name of ["president", "president@gov.example"])
      expect(await look("/api/users/show", { screen_name: name })).toBe(404);
    expect(await look("/api/statusnet/groups/show", { id: "president" })).not.toBe(200);
    for (const q of ["president", "The President", "https://gov.example/channel/president"])
      expect((await alice.get("/api/users/search", { q })).json).toEqual([]);
    for (const who of [alice, as(nick)]) {
      const posted = await who.post("/api/statuses/update", {
        status: "hello @president@gov.example @president @[The President]",
      });
      expect(posted.json.entities?.user_mentions ?? []).toEqual([]);
      expect(posted.json.statusnet_html).not.toContain("gov.example/channel");
    }
  });

  test("has addresses of the web alone, of one host, and never of this one", async () => {
    const rows = await app.hub.db
      .selectFrom("xchan")
      .selectAll()
      .where("xchan_hash", "in", ["script", "forked", "mirror", "squatter"])
      .orderBy("xchan_hash")
      .execute();
    const lead = rows.map((row) => [row.xchan_hash, row.xchan_addr, row.xchan_url, row.xchan_photo_m]);
    expect(lead).toEqual([
      ["forked", "", "", ""],
      ["mirror", "", "", ""],
      ["script", "script@evil.example", "", ""],
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/script:|data:/);
    expect(words.slice(words.indexOf("What you should know"))).toContain(
      "People: 1 came without its address and its URL, because they name different hosts",
    );
    expect(words).toContain("it has an address of this hub, where nobody knows it");
    const friends = await as(nick).get("/api/z/1.0/abook");
    expect(friends.json.length).toBeGreaterThan(2);
    expect(friends.text).not.toMatch(/javascript:|vbscript:/);
  });

  test("gives way to what the hub learns itself", async () => {
    const forged = await alice.post("/api/z/1.0/xchan", { ...taught(), guid_sig: signed(keys, guid) });
    expect(forged.status).toBe(400);
    expect((await alice.get("/api/z/1.0/xchan", { address: "president@gov.example" })).status).toBe(404);
    const learned = await alice.post("/api/z/1.0/xchan", taught());
    expect(learned.json).toMatchObject({ address: "president@gov.example", name: "Real President" });
    const found = await alice.get("/api/z/1.0/xchan", { address: "president@gov.example" });
    expect(found.json).toMatchObject({ guid, url: "https://gov.example/p" });
    // From now on nobody's export changes anything about it.
    await bring(madeUp("rumour", { xchan: [known("other@evil.example", "evil.example")] }));
    expect((await alice.get("/api/z/1.0/xchan", { guid })).json).toEqual(found.json);
  });

  const taught = (): Json => ({
    hash: identityHash(guid, strangerKeys.publicKey),
    guid,
    guid_sig: signed(strangerKeys, guid),
    key: strangerKeys.publicKey.trimEnd(),
    address: "president@gov.example",
    url: "https://gov.example/p",
    name: "Real President",
    network: "zot",
  });

  test("does not keep the one who was talked about from coming here", async () => {
    const value = madeUp("tina");
    const { channel_hash: xchan_hash, channel_guid: xchan_guid } = value["channel"];
    const gossip = stranger({
      xchan_hash,
      xchan_guid,
      xchan_guid_sig: signed(strangerKeys, xchan_guid as string),
      xchan_name: "Not Tina",
      xchan_addr: "nobody@evil.example",
    });
    await bring(madeUp("gossip", { xchan: [gossip] }));
    const { nick } = await bring(value);
    expect((await alice.get("/api/z/1.0/xchan", { hash: xchan_hash as string })).json).toMatchObject({
      pubkey: keys.publicKey,
      name: "Really tina",
      address: `${nick}@hub.example`,
    });
  });
});

describe("what an export says about the threads of others", () => {
  type Names = { name: string; guid: string; guid_sig: string; hash: string; address: string; url: string };
  const stan: Names = {
    name: "Stan",
    guid: "guid-of-stan",
    guid_sig: "no signature",
    hash: "hash-of-stan",
    address: "stan@far.example",
    url: "https://far.example/channel/stan",
  };
  const aliceAs = (): Names => ({
    name: "Alice",
    guid: alice.channel.channel_guid,
    guid_sig: alice.channel.channel_guid_sig,
    hash: alice.channel.channel_hash,
    address: "alice@hub.example",
    url: "http://hub.example/channel/alice",
  });

  /** A thread that the export says is public and on the wall of its channel. */
  const thread = (mid: string, author: Names, body: string, more: Json = {}): Json => ({
    ...itemsPage(keys)["item"][0],
    message_id: mid,
    message_top: mid,
    message_parent: mid,
    permalink: mid,
    uuid: "",
    title: "",
    body,
    owner: { ...author, network: "zot" },
    author: { ...author, network: "zot" },
    signature: "",
    item_wall: 1,
    item_origin: 1,
    item_private: 0,
    public_scope: "public",
    allow_cid: "",
    flags: [],
    ...more,
  });
  const left = (words: string): string => words.slice(words.indexOf("What you should know"));

  test("is shown to the importer alone, whatever it claims", async () => {
    const mid = "https://far.example/item/confession";
    const answer = { ...thread(`${mid}-too`, stan, "Stan confesses again"), message_top: mid, message_parent: mid };
    const value = madeUp("mona", { elsewhere: [answer, thread(mid, stan, "Stan confesses", { item_starred: 1 })] });
    const { nick, words } = await bring(value);
    expect(words).toContain("In threads of others 2 2 0 0");
    const mona = as(nick);
    const [starred] = (await mona.get("/api/favorites")).json;
    expect(starred).toMatchObject({ text: "Stan confesses", favorited: true, user: { name: "Stan" } });
    const full = await mona.get("/api/z/1.0/item/full", { item_id: starred.id });
    expect(full.json.item).toMatchObject([
      { item_verified: "0", item_wall: "0" },
      { item_verified: "0", item_wall: "0" },
    ]);
    const others = [alice, clientOf(app.app)];
    const doors: [string, Json][] = [
      ["/api/statuses/show", { id: starred.id }],
      ["/api/z/1.0/item/full", { item_id: starred.id }],
      ["/api/z/1.0/item/full", { mid }],
      ["/api/conversation/show", { id: starred.id }],
      [`/display/b64.${Buffer.from(mid).toString("base64url")}`, {}],
      [`/channel/${nick}`, { mid }],
      [`/channel/${nick}`, {}],
      [`/feed/${nick}`, {}],
      ["/search", { search: "confesses" }],
      ["/api/statuses/public_timeline", {}],
      ["/api/statuses/networkpublic_timeline", {}],
      ["/api/statuses/user_timeline", { screen_name: nick }],
      ["/api/z/1.0/network/stream", { search: "confesses" }],
      ["/", {}],
    ];
    for (const who of others)
      for (const [path, query] of doors)
        expect([path, (await who.get(path, query)).text.includes("Stan confesses")]).toEqual([path, false]);
    const unknown = await alice.get("/api/statuses/show", { id: 999_999_999 });
    expect((await alice.get("/api/statuses/show", { id: starred.id })).status).toBe(unknown.status);
    expect((await mona.get("/api/statuses/home_timeline")).text).toContain("Stan confesses again");
    expect((await mona.post("/api/statuses/update", { status: "Oh", in_reply_to_status_id: starred.id })).status).toBe(
      200,
    );
    expect((await alice.get("/api/statuses/user_timeline", { screen_name: nick })).json).toEqual([]);
  });

  test("changes nothing for the people of this hub, and shows nothing of theirs", async () => {
    const open = (await alice.post("/api/z/1.0/item/update", { body: "Alice in the open" })).json.item;
    const closed = { body: "Hm", contact_allow: alice.channel.channel_hash };
    const secret = (await alice.post("/api/z/1.0/item/update", closed)).json.item;
    const record = async (id: string): Promise<string> =>
      (await alice.get("/api/z/1.0/item/full", { item_id: id })).text.replaceAll(/"request[^,]*/g, "");
    const before = [await record(open.id), await record(secret.id)];
    expect(before[0]).toContain("Alice in the open");
    const later = { edited: "2026-12-01 12:00:00", expires: "2026-12-01 12:00:01" };
    const { nick, words } = await bring(
      madeUp("nora", {
        elsewhere: [
          thread(open.mid, aliceAs(), "Alice as others want her", { ...later, item_starred: 1 }),
          thread(secret.mid, aliceAs(), "Hm"),
          thread("https://far.example/item/alice", aliceAs(), "I, Alice"),
        ],
      }),
    );
    expect(left(words)).toContain("somebody of this hub wrote it, and nothing proves that");
    expect(left(words)).toContain("this hub knows it with another text, from somebody else");
    const own = (await as(nick).get("/api/favorites")).json;
    expect(own).toMatchObject([{ text: "Alice in the open" }]);
    expect((await as(nick).get("/api/z/1.0/item/full", { mid: secret.mid })).status).toBe(404);
    await app.work();
    expect([await record(open.id), await record(secret.id)]).toEqual(before);
    expect((await alice.get("/api/favorites")).json).toEqual([]);
  });

  test("gives way to what somebody who comes here has signed", async () => {
    const value = madeUp("uma");
    const { channel_guid: guid, channel_guid_sig: guid_sig, channel_hash: hash } = value["channel"];
    const uma = { ...stan, name: "Uma", guid, guid_sig, hash, url: "https://far.example/channel/uma" };
    const mid = "https://far.example/item/words-of-uma";
    const { nick: gossip } = await bring(madeUp("gossip", { elsewhere: [thread(mid, uma, "Uma is a fool")] }));
    const words = (who: string): Promise<string> =>
      as(who)
        .get("/api/statuses/home_timeline")
        .then((got) => got.text);
    expect(await words(gossip)).toContain("Uma is a fool");
    const signature = signed(keys, "Uma is wise");
    const { nick } = await bring({ ...value, item: [thread(mid, uma, "Uma is wise", { signature })] });
    for (const who of [nick, gossip]) {
      expect(await words(who)).toContain("Uma is wise");
      expect(await words(who)).not.toContain("fool");
    }
  });

  test("brings no notice that leads astray, and none to anybody else", async () => {
    const notice = (hash: string, more: Json): Json => ({
      hash,
      xname: "Stan",
      created: "2026-11-01 10:00:00",
      ntype: 8,
      otype: "item",
      seen: 0,
      url: stan.url,
      link: "javascript:alert(1)",
      photo: "javascript:alert(1)",
      msg: "Look [b]here[/b]",
      ...more,
    });
    const { channel } = alice;
    const theirs = await postItem(app.hub, channel, {
      body: "For myself",
      audience: { allow_cid: [channel.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
    });
    const about = { kind: "mention", ntype: 128, actor: channel.channel_hash, message_id: theirs.mid };
    const { nick, words } = await bring(
      madeUp("olga", {
        notify: [
          notice("ab".repeat(32), {}),
          notice("short", {}),
          notice("cd".repeat(32), { created: "" }),
          notice("ef".repeat(32), about),
          notice("01".repeat(32), { ...about, kind: "constructor" }),
          notice("23".repeat(32), { kind: "held", actor: channel.channel_hash, count: -5 }),
        ],
      }),
    );
    expect(words).toContain("Notices 6 4 0 2");
    const { json } = await as(nick).get("/api/svc/notifications");
    const worded = { name: "Stan", msg_plain: "Look here", link: "", photo: "", seen: 0, iid: 0, parent: 0 };
    const held = {
      name: channel.channel_name,
      link: "http://hub.example/moderate",
      msg_cache: expect.stringMatching(/^\{0\} /),
    };
    expect(json).toMatchObject([
      { ...held, hash: "23".repeat(32) },
      { ...worded, hash: "01".repeat(32), type: 128 },
      { ...worded, hash: "ef".repeat(32), type: 128 },
      { ...worded, hash: "ab".repeat(32), type: 8 },
    ]);
    expect(JSON.stringify(json)).not.toContain("javascript");
    expect((await alice.get("/api/svc/notifications")).text).not.toContain("Look");
  });

  test("and applications stay behind, which is said", async () => {
    const { words } = await bring(madeUp("pia"));
    expect(words).toContain("Applications that used the channel stay behind: connect them again on this hub.");
  });
});

describe("what the owner did not sign", () => {
  /** The recorded channel with its posts, the first of them with another text than the signed one. */
  const spoiled = (): Json => {
    const value = { ...channelExport(keys), item: itemsPage(keys)["item"] };
    value.item[0].body = `${value.item[0].body as string}!`;
    return value;
  };

  test("is kept as it is, unverified, and said; nothing signs it, neither edits nor exports", async () => {
    const { words, nick } = await bring(spoiled());
    expect(words).toContain("Posts and comments: 1 kept as unverified, because the signature does not fit the text");
    const exported = async (body: string): Promise<Json> => {
      const page = await as(nick).get("/api/z/1.0/item/export_page", { records: 10, page: 0 });
      return page.json.item.find((one: Json) => one["body"] === body);
    };
    const sent = spoiled()["item"][0];
    const body = (sent.body as string).replaceAll("https://hz.test", "http://hub.example");
    const signature = (sent.signature as string).replace("sha256.", "");
    expect(await exported(body)).toMatchObject({ item_verified: "0", signature });
    const own = await app.hub.db
      .selectFrom("message")
      .innerJoin("item", "item.message_id", "message.id")
      .select("item.id")
      .where("message.body", "=", body)
      .executeTakeFirstOrThrow();
    const edited = await as(nick).post("/api/z/1.0/item/update", { post_id: own.id, body: "A new text" });
    expect(edited.status).toBe(200);
    expect(await exported("A new text")).toMatchObject({ item_verified: "0", signature });
  });
});

describe("an archive", () => {
  let bytes: Buffer;
  let nick: string;

  beforeAll(async () => {
    ({ nick } = await bring(madeUp("archy")));
    await as(nick).post("/api/statuses/update", { status: "The word is walnut" });
    const archy = (
      await app.hub.db
        .selectFrom("channel")
        .select("channel_id")
        .where("channel_address", "=", nick)
        .executeTakeFirstOrThrow()
    ).channel_id;
    const channel = (await findChannelById(app.hub, archy))!;
    bytes = await buffer(Readable.fromWeb(exportArchive(app.hub, channel) as never));
  });

  const flipped = (text: string, other: string): Buffer => {
    expect(other.length).toBe(text.length);
    const place = bytes.indexOf(text);
    expect(place).toBeGreaterThan(0);
    const copy = Buffer.from(bytes);
    copy.write(other, place, "latin1");
    return copy;
  };

  test("that is as it was written comes in", async () => {
    expect((await bring(bytes)).words).toContain(`is here as ${nick}@hub.example`);
  });

  test.each([
    [
      "a text of which one bit is another",
      () => flipped("is walnut", "is walnuu"),
      /items\/000001\.json is not as it was/,
    ],
    ["a setting", () => flipped('"channel_timezone"', '"channel_timezonf"'), /channel\.json is not as it was/],
    ["a list that was changed with it", () => flipped("  archive.json", "  archivf.json"), /archive/],
    ["no list", () => withoutList(), /list of its entries is missing/],
    ["half an entry", () => bytes.subarray(0, 2000), /damaged or cut off/],
    ["no end", () => bytes.subarray(0, bytes.length - 1024), /damaged or cut off/],
  ])("with %s is refused, says where, and leaves the way free", async (_, damage, sentence) => {
    const before = await app.hub.db.selectFrom("item").select("id").execute();
    const { words } = await bring(damage());
    expect(words).toContain("The import ended");
    expect(words).toMatch(sentence);
    expect(await app.hub.db.selectFrom("item").select("id").execute()).toEqual(before);
    expect((await browser.get("/import")).text).not.toContain("under way");
  });

  /** The archive up to its list, properly ended. */
  function withoutList(): Buffer {
    const place = bytes.indexOf("SHA256SUMS\0");
    return Buffer.concat([bytes.subarray(0, place), Buffer.alloc(1024)]);
  }

  test("of the old form is read, and the report says that nobody can check it", async () => {
    const old = await packed({ "channel.json": Buffer.from(JSON.stringify(madeUp("olda"))) });
    const { words } = await bring(old);
    expect(words).toContain("is here as olda@hub.example");
    expect(words).toContain("has no list of its entries: damage to it goes unnoticed");
  });

  test("whose pictures call themselves something else: their type is that of their bytes", async () => {
    const { id, hash } = await bringPicture("pat", await picture(20, 20).png().toBuffer());
    const picked = await app.app.request(`http://hub.example/photo/${hash}-0`);
    expect([picked.status, picked.headers.get("content-type")]).toEqual([200, "image/png"]);
    // What older versions stored is not sent either.
    await app.hub.db.updateTable("photo").set({ mimetype: "image/svg+xml" }).where("uid", "=", id).execute();
    expect((await app.app.request(`http://hub.example/photo/${hash}-0`)).status).toBe(404);
  });

  test("whose pictures come along with large ones: these count, and are no larger than uploads may be", async () => {
    const png = await picture(20, 20).png().toBuffer();
    const along = Buffer.concat([png, Buffer.alloc(50_000)]);
    const eve = (await findAccount(app.hub, "eve@example.org"))!.account_id;
    const used = await storageUsed(app.hub, eve);
    await setStorageQuota(app.hub, used + png.length + along.length - 1);
    expect((await bringPicture("paula", png, along)).words).toContain("The storage of this account is used up");
    await setStorageQuota(app.hub, used + png.length + along.length);
    expect((await bringPicture("paul", png, along)).words).not.toContain("used up");
    expect(await storageUsed(app.hub, eve)).toBe(used + png.length + along.length);
    await setStorageQuota(app.hub, 0);
    const large = Buffer.concat([png, Buffer.alloc(mostBytesOfImage)]);
    expect((await bringPicture("pauline", png, large)).words).toContain(`is larger than 200 kB`);
    expect(await storageUsed(app.hub, eve)).toBe(used + png.length + along.length);
  });
});

/** Brings an archive of ours with one picture and, if given, a rendition of it; answers what `bring` does, and its hash. */
async function bringPicture(nick: string, png: Buffer, along?: Buffer) {
  const hash = randomUUID();
  const dates = { created: "2026-01-01 00:00:00", edited: "2026-01-01 00:00:00" };
  const attach = { hash, filename: "a.html", filetype: "text/html", filesize: png.length, is_photo: "1", ...dates };
  const photo = { imgscale: "0", mimetype: "text/html", width: "20", height: "20", ...dates };
  const rendition = { ...photo, imgscale: "1", content: along?.toString("base64") };
  const photos = along ? [photo, rendition] : [photo];
  const channel = { ...madeUp(nick), compatibility: { project: "hubbub", database: 1188 } };
  const brought = await bring(
    await packed({
      "channel.json": Buffer.from(JSON.stringify(channel)),
      "files/000001.json": Buffer.from(JSON.stringify({ attach: [attach], photo: photos })),
      [`blobs/${hash}-0`]: png,
    }),
  );
  return { ...brought, hash };
}

/** A tar file with these entries. */
async function packed(entries: Record<string, Buffer>): Promise<Buffer> {
  const { readable, controller } = createTarPacker();
  const fill = async (): Promise<void> => {
    for (const [name, data] of Object.entries(entries)) {
      const writer = controller.add({ name, size: data.length, type: "file" }).getWriter();
      await writer.write(new Uint8Array(data));
      await writer.close();
    }
    controller.finalize();
  };
  const [bytes] = await Promise.all([buffer(Readable.fromWeb(readable as never)), fill()]);
  return bytes;
}
