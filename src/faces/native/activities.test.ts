import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { befriend } from "../../../test/support/people.ts";
import { createGroup } from "../../domain/groups/groups.ts";
import type { Group } from "../../domain/groups/groups.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";

/**
 * channel/stream as a write (native contract 6.2), and the rules of item/update that need more than one call (native
 * contract 6.15).
 */

let world: TestApp;
let alma: Person;
let bruno: Person;
let carla: Person;
let group: Group;
const api = "/api/z/1.0";

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma", { timezone: "Europe/Berlin" });
  bruno = await world.person("bruno");
  carla = await world.person("carla");
  await befriend(world.hub, alma.channel, bruno.channel);
  group = await createGroup(world.hub, alma.channel.channel_id, "Some");
});
afterAll(() => world.close());

async function write(form: Record<string, unknown>, who = alma): Promise<any> {
  const { status, text, json } = await who.post(`${api}/channel/stream`, form);
  expect([status, text]).toEqual([200, text]);
  return json.activity;
}

async function update(form: Record<string, unknown>, who = alma): Promise<any> {
  const { status, text, json } = await who.post(`${api}/item/update`, form);
  expect([status, text]).toEqual([200, text]);
  return json.item;
}

const object = { type: "http://activitystrea.ms/schema/1.0/event", title: "Fair", id: "x:1" };
const attachment = {
  href: "https://files.example/a.pdf",
  length: "5",
  type: "application/pdf",
  title: "a",
  revision: "0",
};

describe("channel/stream POST", () => {
  test("stores an activity as it is: neither mentions nor hashtags nor codes are read", async () => {
    const answer = await alma.post(`${api}/channel/stream`, { body: " #tag @bruno [attachment]x,0[/attachment] " });
    expect(Object.keys(answer.json)).toEqual(["success", "item_id", "activity"]);
    const item = answer.json.activity;
    expect(answer.json).toMatchObject({ success: true, item_id: item.id });
    expect(item).toMatchObject({
      body: "#tag @bruno [attachment]x,0[/attachment]",
      mimetype: "text/bbcode",
      verb: "http://activitystrea.ms/schema/1.0/post",
      obj_type: "http://activitystrea.ms/schema/1.0/note",
      author_xchan: alma.channel.channel_hash,
      owner_xchan: alma.channel.channel_hash,
      item_wall: "1",
      item_origin: "1",
      attach: "",
      item_private: "0",
    });
    expect(item.sig).not.toBe("");
    expect(item).not.toHaveProperty("term");
  });

  test("every field", async () => {
    const item = await write({
      title: "<t>",
      body: "text",
      mimetype: "text/markdown",
      app: "robot",
      location: "Berlin",
      coord: "52.5,13.4",
      plink: "https://example.org/1",
      verb: "create",
      obj_type: "event",
      obj: JSON.stringify(object),
      tgt_type: "album",
      target: JSON.stringify({ title: "T" }),
      attach: JSON.stringify([attachment]),
      mid: "robot:1",
      allow_cid: `<${bruno.channel.channel_hash}>`,
      allow_gid: `<${group.hash}>`,
      deny_cid: "",
      created: "2025-01-01 12:00",
      expires: "2026-07-01 12:00",
      item_nocomment: "1",
      item_consensus: "yes",
      item_notshown: "1",
      item_nsfw: "true",
      item_starred: "1",
      author_xchan: bruno.channel.channel_hash,
      uid: "99",
    });
    expect(item).toMatchObject({
      title: "t",
      mimetype: "text/markdown",
      app: "robot",
      location: "Berlin",
      coord: "52.5 13.4",
      plink: "https://example.org/1",
      verb: "http://activitystrea.ms/schema/1.0/create",
      obj_type: "http://activitystrea.ms/schema/1.0/event",
      tgt_type: "http://activitystrea.ms/schema/1.0/photo-album",
      mid: "robot:1",
      allow_cid: `<${bruno.channel.channel_hash}>`,
      allow_gid: `<${group.hash}>`,
      item_private: "1",
      created: "2025-01-01 11:00:00",
      expires: "2026-07-01 10:00:00",
      item_nocomment: "1",
      item_consensus: "1",
      item_notshown: "1",
      item_nsfw: "1",
      item_starred: "0",
      author_xchan: alma.channel.channel_hash,
    });
    expect(JSON.parse(item.obj)).toEqual(object);
    expect(JSON.parse(item.target)).toEqual({ title: "T" });
    expect(JSON.parse(item.attach)).toEqual([attachment]);
    const full = (await alma.get(`${api}/item/full`, { mid: "robot:1" })).json.item[0];
    expect(full).toMatchObject({ object, attach: [attachment], target: { title: "T" } });
    const again = await alma.post(`${api}/channel/stream`, { body: "x", mid: "robot:1" });
    expect(again.json).toMatchObject({ code: 409, reason: "conflict" });
  });

  test("a JSON body carries objects, and lists in pieces", async () => {
    const { json } = await alma.send(
      "POST",
      `${api}/channel/stream`,
      JSON.stringify({ obj: object, attach: [attachment], allow_cid: [`<${bruno.channel.channel_hash}>`, "<other>"] }),
      { headers: { "content-type": "application/json" } },
    );
    expect(json.activity).toMatchObject({ body: "", allow_cid: `<${bruno.channel.channel_hash}><other>` });
    expect(JSON.parse(json.activity.obj)).toEqual(object);
    expect(JSON.parse(json.activity.attach)).toEqual([attachment]);
  });

  test("a comment by parent, parent_mid or thr_parent", async () => {
    const top = await write({ body: "top" });
    const first = await write({ body: "c", parent: top.id, allow_cid: "<nobody>", item_type: 0 });
    expect(first).toMatchObject({
      parent: top.id,
      parent_mid: top.mid,
      thr_parent: top.mid,
      allow_cid: "",
      obj_type: "http://activitystrea.ms/schema/1.0/comment",
    });
    expect(await write({ body: "c", parent_mid: first.mid })).toMatchObject({ parent: top.id, thr_parent: first.mid });
    expect(await write({ body: "c", thr_parent: first.mid })).toMatchObject({ parent: top.id, thr_parent: first.mid });
    expect(await write({ body: "c", parent: top.id, thr_parent: first.mid })).toMatchObject({ thr_parent: first.mid });
    const other = await write({ body: "elsewhere" });
    const wrong = await alma.post(`${api}/channel/stream`, { body: "c", parent: other.id, thr_parent: first.mid });
    expect(wrong.json).toMatchObject({ code: 404, reason: "not_found" });
  });

  test("hidden ones stay in no list and reach nobody", async () => {
    const item = await write({ body: "behind", item_hidden: 1 });
    expect(item.item_hidden).toBe("1");
    await world.work();
    for (const who of [alma, bruno]) {
      expect((await who.get(`${api}/network/stream`)).text).not.toContain("behind");
    }
    expect((await alma.get(`${api}/channel/stream`)).text).not.toContain("behind");
    expect((await alma.get(`${api}/item/full`, { mid: item.mid })).json.item).toHaveLength(1);
  });

  test("lists or a scope word for less than everybody; a wider word than the channel's is lowered", async () => {
    expect(await write({ body: "x", public_policy: "contacts" })).toMatchObject({
      public_policy: "contacts",
      item_private: "1",
    });
    expect(await write({ body: "x", deny_gid: `<${group.hash}>`, public_policy: "contacts" })).toMatchObject({
      public_policy: "",
      deny_gid: `<${group.hash}>`,
      item_private: "1",
    });
  });

  test("a page is named after the beginning of its mid", async () => {
    const page = await write({ body: "page", item_type: 3 });
    expect(page.item_type).toBe("3");
    const name = page.mid.split("/item/")[1].slice(0, 16);
    expect(page.iconfig).toEqual([expect.objectContaining({ cat: "system", k: "WEBPAGE", v: name })]);
  });

  test.each([
    [{}, 400, "no_content"],
    [{ body: " " }, 400, "no_content"],
    [{ body: "x", obj: "no json" }, 400, "bad_parameter"],
    [{ body: "x", obj: "[]" }, 400, "bad_parameter"],
    [{ body: "x", target: "7" }, 400, "bad_parameter"],
    [{ body: "x", attach: '[{"href":"javascript:alert(1)"}]' }, 400, "bad_parameter"],
    [{ body: "x", attach: '["x"]' }, 400, "bad_parameter"],
    [{ body: "x", allow_cid: "hash" }, 400, "bad_parameter"],
    [{ body: "x", allow_cid: "<>" }, 400, "bad_parameter"],
    [{ body: "x", allow_cid: "< >" }, 400, "bad_parameter"],
    [{ body: "x", allow_gid: "<unknown>" }, 400, "bad_parameter"],
    [{ body: "x", deny_cid: "<a" }, 400, "bad_parameter"],
    [{ body: "x", public_policy: "everybody" }, 400, "bad_parameter"],
    [{ body: "x", plink: "javascript:alert(1)" }, 400, "bad_parameter"],
    [{ body: "x", mid: "with space" }, 400, "bad_parameter"],
    [{ body: "x", item_type: "x" }, 400, "bad_parameter"],
    [{ body: "x", created: "yesterday-ish" }, 400, "bad_parameter"],
    [{ body: "x", mimetype: "application/x-php" }, 403, "forbidden_content_type"],
    [{ body: "x", parent: 999_999 }, 404, "not_found"],
    [{ body: "x", thr_parent: "nowhere" }, 404, "not_found"],
    [{ body: "x", obj: JSON.stringify({ a: "x".repeat(200_001) }) }, 413, "too_large"],
    [{ body: "x", verb: "like" }, 400, "bad_parameter"],
  ])("%j is refused, and nothing is stored", async (form, status, reason) => {
    const before = await counted();
    const answer = await alma.post(`${api}/channel/stream`, form);
    expect([answer.status, answer.json.reason]).toEqual([status, reason]);
    expect(await counted()).toEqual(before);
  });

  test("the thread of others takes what may be written there, and nothing else", async () => {
    const top = await write({ body: "mine", public_policy: "" });
    const answer = await carla.post(`${api}/channel/stream`, { body: "c", parent: top.id });
    expect(answer.json).toMatchObject({ code: 403, reason: "permission_denied" });
    expect((await write({ body: "c", parent: top.id }, bruno)).owner_xchan).toBe(alma.channel.channel_hash);
    const closed = await write({ body: "closed", allow_cid: `<${alma.channel.channel_hash}>` });
    const unseen = await bruno.post(`${api}/channel/stream`, { body: "c", parent_mid: closed.mid });
    const unknown = await bruno.post(`${api}/channel/stream`, { body: "c", parent_mid: "nowhere" });
    expect(unseen.json).toEqual(unknown.json);
  });

  async function counted(): Promise<unknown> {
    const { db } = world.hub;
    const count = (table: "item" | "message" | "term") =>
      db
        .selectFrom(table)
        .select((x) => x.fn.countAll().as("n"))
        .executeTakeFirstOrThrow();
    return [await count("item"), await count("message"), await count("term")].map((row) => Number(row.n));
  }
});

describe("item/update", () => {
  test("reactions, tags and following by their verbs", async () => {
    const top = await update({ body: "verbs" });
    for (const verb of ["like", "dislike", "agree", "attendyes", "react#tada"]) {
      expect(await update({ verb, parent: top.id })).toMatchObject({ thr_parent: top.mid, item_notshown: "1" });
      expect(await update({ verb, parent: top.id })).toMatchObject({ item_deleted: "1" });
    }
    await update({ verb: "attendno", parent: top.id });
    await update({ verb: "attendmaybe", parent: top.id });
    const full = (await alma.get(`${api}/item/full`, { mid: top.mid })).json.item;
    const kept = full.filter((item: any) => item.item_deleted === "0" && item.id !== top.id);
    expect(kept.map((item: any) => item.verb)).toEqual(["http://purl.org/zot/activity/attendmaybe"]);
    await update({ verb: "tag", parent: top.id, body: "#News" });
    expect((await update({ body: "again", post_id: top.id })).term).toEqual([
      expect.objectContaining({ term: "News", ttype: "10" }),
    ]);
    expect(await update({ verb: "follow", parent: top.id })).toMatchObject({ item_hidden: "1" });
    expect(await update({ verb: "unfollow", parent_mid: top.mid })).toMatchObject({ item_hidden: "1" });
    for (const verb of ["like", "react#heart"]) {
      expect((await alma.post(`${api}/item/update`, { verb })).json.reason).toBe("bad_parameter");
    }
  });

  test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])("a verb called %s is a text", async (name) => {
    expect(await update({ body: "x", verb: name, obj_type: name })).toMatchObject({ verb: name, obj_type: name });
  });

  test("the same text within two minutes, where the channel refuses that", async () => {
    const text = { body: "twice #x" };
    await update(text);
    await update(text);
    await setConfig(world.hub, alma.channel.channel_id, "feature", "suppress_duplicates", "1");
    const refused = await alma.post(`${api}/item/update`, text);
    expect(refused.json).toMatchObject({ code: 409, reason: "conflict", error: "operation cancelled" });
    const other = await update({ body: "another" });
    await update({ body: "comment", parent: other.id });
    expect((await alma.post(`${api}/item/update`, { body: "comment", parent: other.id })).json).toMatchObject({
      code: 409,
      error: "operation cancelled",
    });
    // What others write does not count.
    await update({ body: "another" }, bruno);
    world.hub.advance(121);
    await update(text);
    await setConfig(world.hub, alma.channel.channel_id, "feature", "suppress_duplicates", "0");
  });

  test("an item that another network distributes stays here, post and comment alike", async () => {
    const top = await update({ body: "from there", origin: 0 });
    expect(top.item_origin).toBe("0");
    const shared = await update({ body: "from here" });
    await world.work();
    const comment = await update({ body: "comment from there", parent: shared.id, origin: "0" });
    expect(comment).toMatchObject({ item_origin: "0", item_wall: "1" });
    await world.work();
    const { text } = await bruno.get(`${api}/network/stream`);
    expect(text).toContain("from here");
    expect(text).not.toContain("from there");
  });

  test("words under another's name are for the channel alone", async () => {
    const asBruno = { remote_xchan: bruno.channel.channel_hash, contact_allow: [], public_policy: "" };
    const top = await update({ body: "he said", ...asBruno });
    expect(top).toMatchObject({
      author_xchan: bruno.channel.channel_hash,
      owner_xchan: alma.channel.channel_hash,
      sig: "",
      item_verified: "0",
      item_private: "1",
      allow_cid: `<${alma.channel.channel_hash}>`,
    });
    const open = await update({ body: "open" });
    const comment = await update({ body: "he answered", parent: open.id, ...asBruno });
    expect(comment).toMatchObject({ item_private: "1", allow_cid: `<${alma.channel.channel_hash}>` });
    await world.work();
    for (const who of [bruno, carla])
      for (const path of ["network/stream", "channel/stream"]) {
        const { text } = await who.get(`${api}/${path}`);
        expect(text).not.toMatch(/he (said|answered)/);
      }
  });

  test("page names: transliterated, unique for their kind, free again after a deletion", async () => {
    const page = await update({ body: "p", webpage: 3, pagetitle: "Über uns/Команда" });
    expect(page.iconfig[0]).toMatchObject({ k: "WEBPAGE", v: "uber-uns-komanda" });
    expect(page).toMatchObject({ public_policy: "", item_type: "3" });
    const again = { body: "p", webpage: 3, pagetitle: "uber UNS/Komanda" };
    expect((await alma.post(`${api}/item/update`, again)).json.reason).toBe("conflict");
    await update({ ...again, webpage: 1 });
    const unnamed = await update({ body: "p", webpage: 3, message_id: "A-Page-of-mine-with-a-long-name" });
    expect(unnamed.iconfig[0].v).toBe("a-page-of-mine-w");
    const renamed = await update({ body: "p", post_id: unnamed.id, pagetitle: "New name" });
    expect(renamed.iconfig[0].v).toBe("new-name");
    const taken = await alma.post(`${api}/item/update`, {
      body: "p",
      post_id: unnamed.id,
      pagetitle: page.iconfig[0].v,
    });
    expect(taken.json.reason).toBe("conflict");
    const layout = await update({ body: "l", webpage: 2, mimetype: "application/x-pdl", pagetitle: "wide" });
    expect(layout.iconfig[0]).toMatchObject({ k: "PDL", v: "wide" });
    expect(await update({ body: "p", webpage: 3, layout_mid: layout.mid })).toMatchObject({ layout_mid: layout.mid });
    expect(await update({ body: "p", webpage: 3, layout_mid: page.mid })).toMatchObject({ layout_mid: "" });
    expect(await update({ body: "d", webpage: 5, pagetitle: "Doc" })).toMatchObject({
      iconfig: [expect.objectContaining({ k: "docfile", v: "doc" })],
    });
    const audience = await update({ body: "p", post_id: page.id, contact_allow: [bruno.channel.channel_hash] });
    expect(audience).toMatchObject({ allow_cid: `<${bruno.channel.channel_hash}>`, item_private: "1" });
    expect((await bruno.get(`${api}/network/stream`, { pages: 1 })).json).toEqual([]);
  });

  test("of pages that are named at the same moment one gets the name", async () => {
    const page = { body: "p", webpage: 3, pagetitle: "at once" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => alma.post(`${api}/item/update`, page)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  test("an edit changes what the request names: dates, votes, comments; never the audience of a post", async () => {
    const item = await update({ body: "a", expire: "2027-01-01", coord: "1 2", location: "Here", app: "one" });
    const edited = await update({
      body: "b",
      post_id: item.id,
      consensus: 1,
      nocomment: 1,
      expire: "",
      comments_closed: "2026-12-01",
      source: "two",
      permalink: "https://example.org/p",
      contact_allow: [bruno.channel.channel_hash],
      public_policy: "contacts",
      message_id: "ignored",
      created: "2020-01-01",
    });
    expect(edited).toMatchObject({
      mid: item.mid,
      created: item.created,
      item_consensus: "1",
      item_nocomment: "1",
      expires: "0001-01-01 00:00:00",
      comments_closed: "2026-11-30 23:00:00",
      app: "two",
      plink: "https://example.org/p",
      coord: "1 2",
      location: "Here",
      allow_cid: "",
      public_policy: "",
      item_private: "0",
      revision: "1",
    });
    expect(await update({ body: "c", post_id: item.id, nocomment: 0 })).toMatchObject({
      item_nocomment: "0",
      item_consensus: "1",
      revision: "2",
    });
    const theirs = await update({ body: "theirs", parent: item.id }, alma);
    await alma.post(`/api/statuses/destroy`, { id: theirs.id });
    const gone = await alma.post(`${api}/item/update`, { body: "x", post_id: theirs.id });
    expect(gone.json).toMatchObject({ reason: "not_found", error: "invalid post id" });
  });

  test("nobody edits what somebody else wrote", async () => {
    const top = await update({ body: "alma's" });
    await world.work();
    const copy = (await bruno.get(`${api}/item/full`, { mid: top.mid })).json.item[0];
    const answer = await bruno.post(`${api}/item/update`, { body: "bruno's", post_id: copy.id });
    expect(answer.json).toMatchObject({ code: 403, reason: "permission_denied" });
  });

  test("item/store is another name; nopush is remembered; coordinates are cleaned", async () => {
    const { json } = await alma.post(`${api}/item/store`, { body: "x", nopush: 1, coord: " 1.5 ,  -2 " });
    expect(json.item).toMatchObject({ postopts: "nopush", coord: "1.5 -2" });
    expect((await update({ body: "c", parent: json.item_id, nopush: 1 })).postopts).toBe("nopush");
    expect((await update({ body: "x", coord: "north pole" })).coord).toBe("");
  });

  test("a channel that has moved away neither writes nor edits", async () => {
    const item = await update({ body: "before" }, carla);
    await world.hub.db
      .updateTable("channel")
      .set({ channel_moved: "https://elsewhere.example" })
      .where("channel_id", "=", carla.channel.channel_id)
      .execute();
    for (const form of [{ body: "x" }, { body: "x", post_id: item.id }]) {
      expect((await carla.post(`${api}/item/update`, form)).json.reason).toBe("permission_denied");
    }
  });
});

describe("item/full", () => {
  test("has the whole thread whatever its state, by any of its items", async () => {
    const top = await update({ body: "top" });
    const comment = await update({ body: "c", parent: top.id });
    await update({ verb: "follow", parent: top.id });
    await alma.post(`/api/statuses/destroy`, { id: comment.id });
    const byId = (await alma.get(`${api}/item/full`, { item_id: comment.id })).json.item;
    const byMid = (await alma.get(`${api}/item/full`, { mid: top.mid, item_id: 1 })).json.item;
    expect(byId).toEqual(byMid);
    expect(byId.map((item: any) => [item.item_deleted, item.item_hidden])).toEqual([
      ["0", "0"],
      ["1", "0"],
      ["0", "1"],
    ]);
    expect((await alma.get(`${api}/item/full`)).json.reason).toBe("missing_parameter");
    expect((await alma.get(`${api}/item/full`, { mid: "nope" })).json.reason).toBe("not_found");
  });
});
