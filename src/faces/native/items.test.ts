import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { connect } from "../../domain/connections/connections.ts";
import { addMembers, createGroup } from "../../domain/groups/groups.ts";

/** item/update, item/full and the streams: native contract 6.2, 6.3, 6.15, 6.16. */

let world: TestApp;
let alma: Person;
let bruno: Person;
const api = "/api/z/1.0";

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma", { timezone: "Europe/Berlin" });
  bruno = await world.person("bruno");
  await connect(world.hub, alma.channel, { xchan_hash: bruno.channel.channel_hash });
  await connect(world.hub, bruno.channel, { xchan_hash: alma.channel.channel_hash });
});
afterAll(() => world.close());

async function update(person: Person, form: Record<string, unknown>): Promise<any> {
  const answer = await person.post(`${api}/item/update`, form);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json.item;
}

const recordFields =
  "id mid aid uid parent parent_mid thr_parent created edited expires commented received changed comments_closed owner_xchan author_xchan source_xchan mimetype title body html app lang revision verb obj_type obj tgt_type target layout_mid postopts route llink plink resource_id resource_type attach sig fed_meta location coord public_policy comment_policy allow_cid allow_gid deny_cid deny_gid item_restrict item_flags item_private item_origin item_unseen item_starred item_uplink item_consensus item_wall item_thread_top item_notshown item_nsfw item_relay item_mentionsme item_nocomment item_obscured item_verified item_retained item_rss item_deleted item_type item_hidden item_unpublished item_delayed item_pending_remove item_blocked".split(
    " ",
  );

describe("item/update (6.15)", () => {
  test("the minimal call answers all 73 fields in order, as strings", async () => {
    const answer = await alma.post(`${api}/item/update`, { body: "Good morning" });
    expect(Object.keys(answer.json)).toEqual(["success", "item_id", "item"]);
    const { item } = answer.json;
    expect(answer.json).toMatchObject({ success: true, item_id: item.id });
    expect(Object.keys(item)).toEqual(recordFields);
    expect(recordFields).toHaveLength(73);
    expect(Object.values(item).every((value) => typeof value === "string")).toBe(true);
    expect(item).toMatchObject({
      body: "Good morning",
      html: "Good morning",
      parent: item.id,
      parent_mid: item.mid,
      owner_xchan: alma.channel.channel_hash,
      author_xchan: alma.channel.channel_hash,
      source_xchan: "",
      verb: "http://activitystrea.ms/schema/1.0/post",
      obj_type: "http://activitystrea.ms/schema/1.0/note",
      plink: item.mid,
      llink: item.mid.replace("/item/", "/display/"),
      expires: "0001-01-01 00:00:00",
      item_private: "0",
      item_wall: "1",
      item_thread_top: "1",
      item_origin: "1",
      item_verified: "1",
    });
  });

  test("every field", async () => {
    const item = await update(alma, {
      body: "text",
      title: "t",
      contact_allow: [bruno.channel.channel_hash],
      coord: "52.5,13.4",
      location: "Berlin",
      expire: "2026-07-01 12:00",
      comments_closed: "@1790000000",
      mimetype: "text/plain",
      consensus: "1",
      message_id: "own-id@example",
      app: "tests",
      category: "red, blue,,red",
      plink: "https://example.org/1",
      verb: "create",
      obj_type: "event",
    });
    expect(item).toMatchObject({
      title: "t",
      allow_cid: `<${bruno.channel.channel_hash}>`,
      item_private: "1",
      coord: "52.5 13.4",
      location: "Berlin",
      // Berlin is two hours ahead in July.
      expires: "2026-07-01 10:00:00",
      comments_closed: "2026-09-21 14:13:20",
      mimetype: "text/plain",
      item_consensus: "1",
      mid: "own-id@example",
      app: "tests",
      plink: "https://example.org/1",
      verb: "http://activitystrea.ms/schema/1.0/create",
      obj_type: "http://activitystrea.ms/schema/1.0/event",
    });
    expect(item.term.map((term: { term: string; ttype: string }) => [term.term, term.ttype])).toEqual([
      ["red", "3"],
      ["blue", "3"],
    ]);
    expect(Object.keys(item.term[0])).toEqual([
      "tid",
      "aid",
      "uid",
      "oid",
      "otype",
      "ttype",
      "term",
      "url",
      "imgurl",
      "term_hash",
      "parent_hash",
    ]);
    expect((await alma.post(`${api}/item/update`, { body: "x", message_id: "own-id@example" })).json).toMatchObject({
      code: 409,
      reason: "conflict",
      error: "duplicate post",
    });
  });

  test("a comment by parent and by parent_mid, with the audience of its thread", async () => {
    const top = await update(alma, { body: "top", contact_allow: [bruno.channel.channel_hash] });
    const byId = await update(alma, { body: "c", parent: top.id, contact_allow: [], public_policy: "public" });
    const byMid = await update(alma, { body: "c", parent_mid: top.mid });
    for (const comment of [byId, byMid]) {
      expect(comment).toMatchObject({
        parent: top.id,
        parent_mid: top.mid,
        thr_parent: top.mid,
        allow_cid: top.allow_cid,
        item_private: "1",
        item_thread_top: "0",
        obj_type: "http://activitystrea.ms/schema/1.0/comment",
      });
    }
    const deeper = await update(alma, { body: "cc", parent: byId.id });
    expect(deeper).toMatchObject({ parent: top.id, thr_parent: byId.mid });
    const { json } = await alma.get(`${api}/item/full`, { item_id: deeper.id });
    expect(json.item.map((item: { id: string }) => item.id)).toEqual([top.id, byId.id, byMid.id, deeper.id]);
  });

  test("an edit keeps mid, id and what it does not name", async () => {
    const item = await update(alma, { body: "first", title: "title", category: "c" });
    const edited = await update(alma, { body: "second #tag", post_id: item.id });
    expect(edited).toMatchObject({
      id: item.id,
      mid: item.mid,
      body: expect.stringContaining("second"),
      title: "title",
      revision: "1",
    });
    expect(edited.term.map((term: { term: string }) => term.term).toSorted()).toEqual(["c", "tag"]);
    const other = await bruno.post(`${api}/item/update`, { body: "x", post_id: item.id });
    expect(other.json).toMatchObject({ reason: "not_found", error: "invalid post id" });
    expect((await alma.post(`${api}/item/update`, { post_id: item.id })).json.reason).toBe("no_content");
  });

  test("a thing of another service is written once and then edited", async () => {
    const pair = { namespace: "service.example", remote_id: "77" };
    const item = await update(alma, { body: "one", ...pair });
    expect(item.iconfig).toEqual([
      expect.objectContaining({ cat: "system", k: "service.example", v: "77", iid: item.id }),
    ]);
    expect(Object.keys(item.iconfig[0])).toEqual(["id", "iid", "cat", "k", "v", "sharing"]);
    expect(await update(alma, { body: "two", ...pair })).toMatchObject({ id: item.id, body: "two" });
  });

  test("also when the calls come at once; what was deleted leaves its place", async () => {
    const pair = { namespace: "service.example", remote_id: "x".repeat(5000) };
    const race = async (body: string) =>
      new Set(
        (await Promise.all(Array.from({ length: 6 }, () => update(alma, { body, ...pair })))).map(({ id }) => id),
      );
    const first = await race("many at once");
    expect(first.size).toBe(1);
    expect(await race("and again")).toEqual(first);
    await world.hub.db
      .updateTable("item")
      .set({ item_deleted: 1 })
      .where("id", "=", Number([...first][0]))
      .execute();
    const second = await race("anew");
    expect([second.size, [...second][0] === [...first][0]]).toEqual([1, false]);
  });

  test("a date in the future delays", async () => {
    const item = await update(alma, { body: "later", created: "now + 1 day" });
    expect(item).toMatchObject({ item_delayed: "1", created: "2026-03-02 12:00:00" });
    const stream = (await alma.get(`${api}/network/stream`)).json;
    expect(stream.some((shown: { id: string }) => shown.id === item.id)).toBe(false);
    expect((await alma.get(`${api}/item/full`, { mid: item.mid })).json.item[0].item_delayed).toBe("1");
  });

  test.each([
    [{ body: "" }, 400, "no_content"],
    [{}, 400, "no_content"],
    [{ body: "x", parent: 999_999 }, 404, "not_found"],
    [{ body: "x", parent_mid: "nope" }, 404, "not_found"],
    [{ body: "x", post_id: 999_999 }, 404, "not_found"],
    [{ body: "x", mimetype: "application/x-php" }, 403, "forbidden_content_type"],
    [{ body: "x", mimetype: "image/png" }, 400, "bad_parameter"],
    [{ body: "x", created: "gestern" }, 400, "bad_parameter"],
    [{ body: "x", group_allow: ["unknown"] }, 400, "bad_parameter"],
    [{ body: "x", remote_xchan: "unknown" }, 400, "bad_parameter"],
    [{ body: "x", message_id: "a b" }, 400, "bad_parameter"],
    [{ body: "x", public_policy: "whatever" }, 400, "bad_parameter"],
    [{ body: "x".repeat(200_001) }, 413, "too_large"],
  ])("%j is refused", async (form, status, reason) => {
    const before = await counts();
    const answer = await alma.post(`${api}/item/update`, form);
    expect([answer.status, answer.json.reason]).toEqual([status, reason]);
    expect(await counts()).toEqual(before);
  });

  test("an empty body may be allowed", async () => {
    expect((await update(alma, { body: "", allow_empty: 1 })).body).toBe("");
  });

  test("nocomment closes a thread for others", async () => {
    const top = await update(alma, { body: "closed", nocomment: 1 });
    await world.work();
    const answer = await bruno.post(`${api}/item/update`, { body: "x", parent_mid: top.mid });
    expect([answer.status, answer.json.reason]).toEqual([403, "comments_closed"]);
  });

  async function counts(): Promise<number[]> {
    const { db } = world.hub;
    const tables = ["message", "item", "term", "iconfig", "job"] as const;
    return Promise.all(
      tables.map(
        async (table) =>
          (await db.selectFrom(table).select(db.fn.countAll<number>().as("n")).executeTakeFirstOrThrow()).n,
      ),
    );
  }
});

describe("item/full (6.16)", () => {
  test("the full form, with owner, author, tags and meta", async () => {
    const top = await update(alma, { body: "#tag", category: "cat", namespace: "n", remote_id: "full" });
    const [item] = (await alma.get(`${api}/item/full`, { mid: top.mid })).json.item;
    expect(item).toMatchObject({
      type: "activity",
      encoding: "zot",
      message_id: top.mid,
      expires: "0000-00-00 00:00:00",
      public_scope: "public",
      owner: {
        name: "Alma",
        address: "alma@hub.example",
        hash: alma.channel.channel_hash,
        photo: { mimetype: expect.any(String), src: expect.stringMatching(/^http/) },
      },
      meta: [{ family: "system", key: "n", value: "full", sharing: 0 }],
      revision: "0",
      item_obscured: "0",
    });
    expect(item.tags).toContainEqual({ tag: "tag", url: "http://hub.example/search?tag=tag", type: "hashtag" });
    expect(item.tags).toContainEqual({
      tag: "cat",
      url: "http://hub.example/channel/alma?f=&cat=cat",
      type: "category",
    });
    expect(Object.keys(item)).toEqual(expect.arrayContaining(["allow_cid", "layout_mid", "item_rss", "item_blocked"]));
    expect(item).not.toHaveProperty("html");
  });

  test("nothing named, nothing known, not one's own", async () => {
    const top = await update(alma, { body: "mine", contact_allow: [alma.channel.channel_hash] });
    expect((await alma.get(`${api}/item/full`)).json).toMatchObject({ reason: "missing_parameter" });
    expect((await alma.get(`${api}/item/full`, { item_id: 999_999 })).json.reason).toBe("not_found");
    const hidden = (await bruno.get(`${api}/item/full`, { mid: top.mid })).json;
    expect(hidden).toEqual((await bruno.get(`${api}/item/full`, { mid: "unknown" })).json);
  });
});

describe("channel/stream and network/stream (6.2, 6.3)", () => {
  let tops: any[];

  beforeAll(async () => {
    tops = [];
    for (const [seconds, body] of ["one", "two", "three"].entries()) {
      world.hub.advance(60 + seconds);
      tops.push(await update(alma, { body, category: body, location: "x" }));
    }
    world.hub.advance(60);
    await update(bruno, { body: "from bruno #music" });
    await world.work();
    world.hub.advance(60);
    const [copy] = (await bruno.get(`${api}/network/stream`, { mid: tops[0].mid })).json;
    await update(bruno, { body: "a comment", parent: copy.id });
    await world.work();
  });

  const bodies = async (person: Person, path: string, query: Record<string, unknown>) => {
    const answer = await person.get(`${api}/${path}`, query);
    expect([answer.status, Array.isArray(answer.json)]).toEqual([200, true]);
    return answer.json.map((item: { body: string }) => item.body);
  };

  test("short form, exactly", async () => {
    const [item] = (await alma.get(`${api}/network/stream`, { mid: tops[1].mid })).json;
    expect(Object.keys(item)).toEqual(
      "type encoding message_id message_top message_parent created edited expires commented mimetype title body app verb object_type target_type permalink location longlat signature route owner author flags public_scope comment_scope tags id parent uid llink item_unseen item_starred item_mentionsme resource_type resource_id".split(
        " ",
      ),
    );
    expect(item).toMatchObject({
      flags: ["thread_parent"],
      public_scope: "public",
      comment_scope: "contacts",
      uid: String(alma.channel.channel_id),
    });
  });

  test("the wall, oldest first, each top followed by its comments", async () => {
    const wall = await bodies(alma, "channel/stream", {});
    expect(wall.slice(-4)).toEqual(["one", "a comment", "two", "three"]);
    expect(await bodies(alma, "channel/stream", { mindate: "now + 1 minute" })).toEqual([]);
    expect(await bodies(alma, "channel/stream", { records: 1 })).toHaveLength(1);
    expect(await bodies(alma, "channel/stream", { start: 100_000 })).toEqual([]);
  });

  test("the network by last comment and by date", async () => {
    expect((await bodies(alma, "network/stream", { records: 3 })).slice(0, 4)).toEqual([
      "one",
      "a comment",
      expect.stringContaining("from bruno"),
      "three",
    ]);
    expect((await bodies(alma, "network/stream", { records: 2, order: "post" })).slice(0, 2)).toEqual([
      expect.stringContaining("from bruno"),
      "three",
    ]);
    expect(await bodies(alma, "network/stream", { records: 1, page: 2 })).toEqual([
      expect.stringContaining("from bruno"),
    ]);
    expect((await bodies(alma, "network/stream", { nouveau: 1, records: 2 }))[0]).toBe("a comment");
    expect(await bodies(alma, "network/stream", { top: 1, records: 1 })).toEqual(["one"]);
  });

  test("filters", async () => {
    expect(await bodies(alma, "network/stream", { cat: "two" })).toEqual(["two"]);
    expect(await bodies(alma, "network/stream", { tag: "music" })).toEqual([expect.stringContaining("from bruno")]);
    expect(await bodies(alma, "network/stream", { search: "#music" })).toEqual([expect.stringContaining("from bruno")]);
    expect(await bodies(alma, "network/stream", { search: "A COMM" })).toEqual(["one", "a comment"]);
    expect(await bodies(alma, "network/stream", { search: "%" })).toEqual([]);
    expect(await bodies(alma, "network/stream", { wall: 1, records: 1 })).toEqual(["one", "a comment"]);
    expect(await bodies(alma, "network/stream", { item_id: tops[2].id })).toEqual(["three"]);
    expect(await bodies(alma, "network/stream", { datequery2: tops[1].created, dend: tops[1].created })).toEqual([
      "two",
    ]);
    expect(await bodies(alma, "network/stream", { xchan: bruno.channel.channel_hash })).toEqual([
      expect.stringContaining("from bruno"),
    ]);
    expect(await bodies(alma, "network/stream", { cmin: 99, cmax: 0 })).toEqual([]);
    expect(await bodies(alma, "network/stream", { star: 1 })).toEqual([]);
    expect(await bodies(alma, "network/stream", { since_id: 10 ** 9 })).toEqual([]);
    expect(await bodies(alma, "network/stream", { file: "x", verb: "post", conv: 1 })).toEqual([]);
  });

  test("groups and connections", async () => {
    const group = await createGroup(world.hub, alma.channel.channel_id, "Readers");
    expect(await bodies(alma, "network/stream", { gid: group.id })).toEqual([]);
    await addMembers(world.hub, alma.channel.channel_id, group.id, [bruno.channel.channel_hash]);
    expect(await bodies(alma, "network/stream", { group: group.id })).toEqual([expect.stringContaining("from bruno")]);
    for (const query of [{ gid: 99_999 }, { cid: 99_999 }]) {
      expect((await alma.get(`${api}/network/stream`, query)).json.reason).toBe("not_found");
    }
    expect((await bruno.get(`${api}/network/stream`, { gid: group.id })).json.reason).toBe("not_found");
  });

  test("mark_seen", async () => {
    const unseen = (await alma.get(`${api}/network/stream`, { unseen: 1 })).json;
    expect(unseen.length).toBeGreaterThan(0);
    await alma.post(`${api}/network/stream`, { unseen: 1, mark_seen: "true", records: 100 });
    expect(await bodies(alma, "network/stream", { unseen: 1 })).toEqual([]);
  });

  test.each([
    { order: "size" },
    { cmin: -1 },
    { cmax: 100 },
    { item_type: "x" },
    { dbegin: "x" },
    { since_id: "x" },
    { gid: "x" },
  ])("%j is refused", async (query) => {
    expect((await alma.get(`${api}/network/stream`, query)).json).toMatchObject({
      reason: "bad_parameter",
      field: Object.keys(query)[0],
    });
  });
});
