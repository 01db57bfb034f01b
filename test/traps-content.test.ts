import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { befriend, connectionId } from "./support/people.ts";
import { formWith, picture } from "./support/pictures.ts";

/** Traps 23 to 46 of microblog contract 12, as the clients send their requests; those that are tested elsewhere stand in traps.test.ts. */

let world: TestApp;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
});
afterAll(() => world.close());

const post = async (who: Person, status: string, more: Record<string, unknown> = {}): Promise<any> =>
  (await who.post("/api/statuses/update.json", { status, ...more })).json;

describe("content", () => {
  test("23: AndStatus shows statusnet_html, so it is there where there is a text", async () => {
    const bytes = await picture(40, 30).png().toBuffer();
    const form = formWith({ source: "AndStatus" }, [["media", bytes, "a.png", "application/octet-stream"]]);
    // It shows the pictures of a status itself, so they are left out of its HTML (trap 24), and here there is nothing else.
    const headers = { "user-agent": "AndStatus/61" };
    for (const path of ["statuses/update", "statuses/update_with_media"]) {
      const { json } = await ann.send("POST", `/api/${path}.json`, form, { headers });
      expect([json.text, json.statusnet_html]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    }
    for (const status of ["[b]x[/b]", "[hr]", "&nbsp;x", "[img]https://example.org/a.png[/img]", "a\n\n\nb"]) {
      const json = await post(ann, status);
      expect([status, json.text, json.statusnet_html]).toEqual([
        status,
        expect.stringMatching(/./),
        expect.stringMatching(/./),
      ]);
    }
  });

  test("27: Twidere looks up everybody by the profile URL", async () => {
    for (const profileurl of [
      "http://hub.example/channel/bob",
      "https://hub.example/channel/bob/",
      "bob@hub.example",
    ]) {
      const { status, json } = await ann.get("/api/externalprofile/show.json", {
        profileurl,
        include_entities: "true",
      });
      expect([profileurl, status, json.screen_name]).toEqual([profileurl, 200, "bob"]);
    }
  });

  test("28: a client that names itself in brackets", async () => {
    const { source } = await post(ann, "x", { source: '<a href="https://example.org">Friendica for Android</a>' });
    expect(source).toBe("Friendica for Android (Hubbub)");
    expect(source).not.toContain("()");
  });

  test("30: a reshare has an id of its own and its original", async () => {
    const { id } = await post(ann, "Share me", { group_allow: "" });
    const share = (await bob.post(`/api/statuses/retweet/${id}.json`)).json;
    expect(share.retweeted_status).toMatchObject({ text: "Share me", user: { screen_name: "ann" } });
    expect(share.id).not.toBe(share.retweeted_status.id);
  });
});

describe("requests", () => {
  test.each(["-1", "0", "", undefined])("32: in_reply_to_status_id %j of Twidere and Friendica Mobile", async (id) => {
    const json = await post(ann, "No answer", { in_reply_to_status_id: id });
    expect([json.in_reply_to_status_id, json.statusnet_conversation_id]).toEqual([null, json.id]);
  });

  test("33: Twidere sends exclude_replies=false and include_rts as text", async () => {
    const { id } = await post(ann, "Question");
    const answer = await post(ann, "Answer", { in_reply_to_status_id: id });
    const query = { exclude_replies: "false", include_rts: "true", include_my_retweet: "true", count: 200 };
    for (const path of ["home_timeline", "user_timeline"]) {
      const { json } = await ann.get(`/api/statuses/${path}.json`, query);
      expect(json.map((status: any) => status.id)).toContain(answer.id);
    }
  });

  test("34: counts of AndStatus, Choqok and Friendica Mobile", async () => {
    const { id } = await post(ann, "Whole thread");
    for (const [path, count] of [
      ["statuses/home_timeline.json", 400],
      ["statuses/user_timeline.json", 200],
      [`statusnet/conversation/${id}.json`, 999],
      ["direct_messages/conversation.json", 999],
      ["friends/list.json", 999],
      ["blocks/list.json", 400],
      ["search.json?q=thread", 400],
    ] as const) {
      const { status } = await ann.send("GET", `/api/${path}`, undefined, {
        query: path.includes("?") ? {} : { count },
      });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test("35: max_id is inclusive everywhere, so whoever takes none off loses nothing", async () => {
    for (const text of ["1", "2", "3"]) {
      await post(ann, `page ${text}`);
      await ann.post("/api/direct_messages/new.json", { screen_name: "bob", text });
    }
    for (const path of ["statuses/home_timeline", "statuses/user_timeline", "direct_messages/sent"]) {
      const all = (await ann.get(`/api/${path}.json`, { count: 200 })).json.map((one: any) => one.id);
      const from = (await ann.get(`/api/${path}.json`, { count: 200, max_id: all[1] })).json.map((one: any) => one.id);
      expect([path, from]).toEqual([path, all.slice(1)]);
    }
  });

  test("36: Twidere reads a user's whole timeline by max_id", async () => {
    const carl = await world.person("carl");
    const posted: number[] = [];
    for (let n = 0; n < 45; n++) posted.unshift((await post(carl, `Number ${n}`)).id);
    const seen = new Set<number>();
    let max_id: number | undefined;
    for (let calls = 0; calls < 10; calls++) {
      const query = { user_id: carl.channel.xchan_id, screen_name: "carl", count: 20, max_id };
      const { json } = await ann.get("/api/statuses/user_timeline.json", query);
      const before = seen.size;
      for (const status of json) seen.add(status.id);
      if (seen.size === before) break;
      max_id = json.at(-1).id;
    }
    expect([...seen]).toEqual(posted);
  });

  test("38: any id of the public timeline has a conversation", async () => {
    await post(bob, "Everybody sees this", { group_allow: "" });
    const { json } = await ann.get("/api/statuses/networkpublic_timeline.json", { count: 200 });
    for (const { id } of json) {
      const { status, json: thread } = await ann.get("/api/statusnet/conversation.json", { id });
      expect([id, status, thread.length > 0]).toEqual([id, 200, true]);
    }
  });

  test("39: Friendica Mobile's groups: a text part, and gid and name in the query", async () => {
    const cid = await connectionId(world.hub, ann.channel, bob.channel);
    const record = (members: unknown[]) => {
      const form = new FormData();
      form.append("json", JSON.stringify({ gid: "", name: "Mobile", user: members }));
      return form;
    };
    const made = await ann.send("POST", "/api/friendica/group_create.json?name=Mobile", record([{ cid }]));
    expect(made.json).toMatchObject({ success: true, name: "Mobile", status: "ok", "wrong users": [] });
    const { gid } = made.json;
    const emptied = await ann.send("POST", `/api/friendica/group_update.json?gid=${gid}&name=Mobile`, record([]));
    expect(emptied.json).toMatchObject({ success: true, gid, status: "ok" });
    const limited = await post(ann, "For a group and a person", { group_allow: `<${gid}>`, contact_allow: `<${cid}>` });
    expect(limited.friendica_private).toBe(true);
    const deleted = await ann.send("DELETE", `/api/friendica/group_delete.json?gid=${gid}&name=Mobile`);
    expect(deleted.json).toMatchObject({ success: true, status: "deleted" });
    const form = { user_id: "http://hub.example/channel/bob", text: "By URL", replyto: "" };
    const sent = await ann.post("/api/direct_messages/new.json", form);
    expect([sent.status, sent.json.recipient_screen_name]).toEqual([200, "bob"]);
  });

  test.each(["media", "media[]"])("40: a picture as %s with a generic type and name", async (name) => {
    const bytes = await picture(60, 40).jpeg().toBuffer();
    const form = formWith({ status: "Look" }, [[name, bytes, "octet-stream", "application/octet-stream"]]);
    const { json } = await ann.send("POST", "/api/statuses/update_with_media.json", form);
    expect(json.attachments).toMatchObject([{ mimetype: "image/jpeg", width: 60, height: 40 }]);
  });

  test("41: a favorite by the path, and by the body", async () => {
    const { id } = await post(ann, "Star");
    const calls: [path: string, form: Record<string, unknown>, favorited: boolean][] = [
      [`favorites/create/${id}.json`, {}, true],
      [`favorites/destroy/${id}.json`, {}, false],
      ["favorites/create.json", { id, include_entities: "true" }, true],
      ["favorites/destroy.json", { id }, false],
    ];
    for (const [path, form, favorited] of calls) {
      const { status, json } = await ann.post(`/api/${path}`, form);
      expect([path, status, json.id, json.favorited]).toEqual([path, 200, id, favorited]);
    }
  });

  test("43: Friendica for Android's paths have no suffix", async () => {
    const { id } = await post(ann, "Top of thread");
    const { json: user } = await ann.get(`/api/users/show/${ann.channel.xchan_id}`);
    expect(user.screen_name).toBe("ann");
    expect((await ann.get(`/api/statuses/show/${id}?conversation=true`)).json).toMatchObject([{ id }]);
    const message = (await ann.post("/api/direct_messages/new", { screen_name: "bob", text: "Hi" })).json;
    const uri = encodeURIComponent(message.friendica_parent_uri);
    const { json } = await ann.get(`/api/direct_messages/conversation?uri=${uri}`);
    expect(json).toContainEqual(expect.objectContaining({ id: message.id }));
  });

  test("44: dots and suffixes in values", async () => {
    for (const query of ["q=picture.xml", "file=a.xml&q=x", "q=a.atom", "screen_name=b.ob&q=x.rss"]) {
      const { status, headers } = await ann.get(`/api/search?${query}`);
      expect([query, status, headers.get("content-type")]).toEqual([query, 200, "application/json; charset=utf-8"]);
    }
    expect((await ann.get("/api/users/show/bob@hub.example.json")).json.screen_name).toBe("bob");
    expect((await ann.get("/api/users/show/bob@hub.example")).json.screen_name).toBe("bob");
  });

  test("45: a cache-buster with the local date", async () => {
    for (const path of [
      "statuses/home_timeline",
      "direct_messages/all",
      "friendica/notification",
      "friendica/photos/list",
    ]) {
      const { status } = await ann.get(`/api/${path}.json?timestamp=21/11/2026%2009:46:39%20+01:00`);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test("46: the heart is nobody's business, a like is everybody's", async () => {
    const { id } = await post(ann, "Heart me", { group_allow: "" });
    await world.work();
    const { id: seen } = (await bob.get("/api/statuses/home_timeline.json")).json.find(
      (one: any) => one.text === "Heart me",
    );
    expect((await bob.post(`/api/favorites/create/${seen}.json`)).json).toMatchObject({
      favorited: true,
      favorite_count: 0,
    });
    await world.work();
    const status = async () => (await ann.get(`/api/statuses/show/${id}.json`)).json;
    expect(await status()).toMatchObject({ favorited: false, favorite_count: 0, svc_activities: { like: [] } });
    await bob.post("/api/friendica/activity/like.json", { id: seen });
    await world.work();
    expect(await status()).toMatchObject({ favorite_count: 1, svc_activities: { like: [{ screen_name: "bob" }] } });
  });
});
