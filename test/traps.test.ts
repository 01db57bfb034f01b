import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import { befriend, newcomer } from "./support/people.ts";
import { setPassword } from "../src/domain/identity/accounts/accounts.ts";

/**
 * The traps of microblog contract 12, as the clients that fell into them send their requests. Here: log-in and the shapes
 * of answers (1 to 22). What is not here is tested where the thing itself is tested:
 *
 * | Trap | Where |
 * | --- | --- |
 * | 1 | protocol.test.ts: every path, JSON and XML; profiles.test.ts |
 * | 4, 9 | oauth.test.ts: the way to a token below `/oauth`, `/api/oauth`, `/api/1.1/oauth`; its answers have no white space |
 * | 6, 12, 20, 46 | limits of clients or of the brief: docs/clients.md; what the hub promises there is here |
 * | 8 | http/oauth/signing.test.ts: behind a proxy that ends TLS; clients.test.ts: tweepy behind one |
 * | 14, 17 | search.test.ts |
 * | 15, 54 | protocol.test.ts; microblog-rows.test.ts asks every path |
 * | 16, 18 | objects.test.ts, retweets.test.ts; microblog-answers.test.ts: the type of every field of every answer |
 * | 24, 25, 26, 30, 51 | objects.test.ts |
 * | 28, 32, 45, 47 | update-status.test.ts |
 * | 29, 42, 48 | media.test.ts, profile-image.test.ts |
 * | 31, 38 | statuses.test.ts |
 * | 33, 37, 56 | timelines.test.ts; cli/backup.test.ts: ids after a restore |
 * | 49 | oauth.test.ts, people.test.ts |
 * | 55 | messages.test.ts, xml-answers.test.ts |
 * | 57 | lists.test.ts, statuses.test.ts |
 */

let world: TestApp;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
});
afterAll(() => world.close());

describe("log-in and discovery", () => {
  test("2: Friendica Mobile probes for pictures and messages", async () => {
    for (const who of [world.anonymous, ann])
      expect((await who.get("/api/account/update_profile_image.json")).status).toBe(405);
    const { status, json } = await ann.get("/api/friendica/direct_messages_setseen.json", { id: 0 });
    expect([status, json]).toEqual([200, { result: "error", message: "message id not specified" }]);
  });

  test.each(["/api", "/api/1.1"])("3: Twidere signs in at %s", async (root) => {
    const config = await world.anonymous.get(`${root}/statusnet/config.json`);
    expect([config.status, config.json.site.textlimit, config.json.attachments.file_quota]).toEqual([
      200,
      "200000",
      expect.any(Number),
    ]);
    const { status, json } = await ann.get(`${root}/account/verify_credentials.json`, { include_entities: "true" });
    expect([status, json]).toMatchObject([200, { id: expect.any(Number), screen_name: "ann", name: "Ann" }]);
  });

  test("5: AndStatus shows the text of the error", async () => {
    const { status, json } = await clientOf(world.app, "ann:wrong").get("/api/account/verify_credentials.json");
    expect([status, json.error]).toEqual([401, "This API requires login"]);
  });

  test("6: Choqok logs in with letters and digits, in capitals too", async () => {
    const { status, json } = await clientOf(world.app, "ANN:correct horse").get("/api/account/verify_credentials.json");
    expect([status, json.screen_name]).toEqual([200, "ann"]);
  });

  test("7: a password with colons", async () => {
    const carl = await world.person("carl");
    await setPassword(world.hub, carl.channel.channel_account_id, "a:b::c horse");
    for (const user of ["carl", "carl@hub.example", "carl@example.org"]) {
      const { status } = await clientOf(world.app, `${user}:a:b::c horse`).get("/api/account/verify_credentials.json");
      expect([user, status]).toEqual([user, 200]);
    }
  });
});

describe("shapes of answers", () => {
  let nicks: string[];

  beforeAll(async () => {
    for (let n = 0; n < 24; n++) {
      const friend = await newcomer(world.hub, `friend${String(n).padStart(2, "0")}`);
      await befriend(world.hub, ann.channel, friend);
    }
    nicks = ["bob", ...Array.from({ length: 24 }, (_, n) => `friend${String(n).padStart(2, "0")}`)];
  });

  test("10: AndStatus reads ids as an array from GNU social, as an object from Twitter", async () => {
    const user_id = ann.channel.xchan_id;
    for (const path of ["friends/ids.json", "followers/ids.json"]) {
      const plain = (await ann.get(`/api/${path}`, { user_id })).json;
      expect([path, plain.length]).toEqual([path, nicks.length]);
      expect((await ann.get(`/api/1.1/${path}`, { user_id })).json.ids).toEqual(plain);
      expect((await ann.get(`/api/${path}`, { user_id, cursor: -1 })).json.ids).toEqual(plain);
    }
  });

  test("11: Choqok repeats friends/list until next_cursor_str is 0", async () => {
    const seen: string[] = [];
    let cursor = "-1";
    for (let calls = 0; calls < 10 && cursor !== "0"; calls++) {
      const { json } = await ann.get("/api/friends/list.json", { cursor });
      seen.push(...json.users.map((user: any) => user.screen_name));
      cursor = json.next_cursor_str;
    }
    expect([cursor, seen.toSorted()]).toEqual(["0", nicks]);
    const nobody = (await bob.get("/api/followers/list.json", { screen_name: "ann", cursor: "-1" })).json;
    expect(nobody).toMatchObject({ users: [], next_cursor: 0, next_cursor_str: "0" });
    expect(Array.isArray((await ann.get("/api/statuses/friends.json")).json)).toBe(true);
  });

  test("12: Choqok sends no count and gets 20 friends; the others are on the next page", async () => {
    const page = async (query: Record<string, unknown>) =>
      (await ann.get("/api/statuses/friends.json", query)).json.map((user: any) => user.screen_name);
    expect(await page({ page: 1 })).toEqual(nicks.slice(0, 20));
    expect(await page({ page: 2 })).toEqual(nicks.slice(20));
    expect(await page({ count: 100 })).toEqual(nicks);
  });

  test("13: Twidere reads arrays and objects as they are", async () => {
    const { id } = (await ann.post("/api/lists/create.json", { name: "Tea" })).json;
    for (const [path, query] of [
      ["users/search", { q: "bob", page: 1, count: 20 }],
      ["search", { q: "tea", rpp: 20 }],
      ["lists/list", { screen_name: "ann" }],
    ] as const)
      expect([path, Array.isArray((await ann.get(`/api/${path}.json`, query)).json)]).toEqual([path, true]);
    expect((await ann.get("/api/lists/ownerships.json")).json.lists).toContainEqual(expect.objectContaining({ id }));
    expect((await ann.get("/api/lists/members.json", { list_id: id, cursor: -1 })).json.users).toEqual([]);
  });

  test("19: Friendica Mobile finds the arrays and objects that it reads", async () => {
    const { id } = (await ann.post("/api/statuses/update.json", { status: "To like", source: "Friendica Mobile" }))
      .json;
    const [status] = (await ann.get("/api/statuses/home_timeline.json", { count: 20 })).json;
    expect(status).toMatchObject({
      id,
      friendica_activities: { like: [], dislike: [], attendyes: [], attendno: [], attendmaybe: [] },
      friendica_owner: { screen_name: "ann" },
      user: { screen_name: "ann" },
    });
    const group = await ann.send("POST", "/api/friendica/group_create.json?name=Empty", part("json", "[]"));
    expect(group.json["wrong users"]).toEqual([]);
    expect((await world.anonymous.get("/api/statusnet/config.json")).json.site.friendica).toBeTypeOf("object");
    const search = (await ann.get("/api/friendica/direct_messages_search.json", { searchstring: "x" })).json;
    expect(search).toEqual({ success: false, search_results: "nothing found" });
  });

  test("20: numbers stay numbers", async () => {
    const { json } = await ann.post("/api/direct_messages/new.json", { screen_name: "bob", text: "Hi" });
    expect([typeof json.id, typeof json.friendica_seen]).toEqual(["number", "number"]);
    const [status] = (await ann.get("/api/statuses/user_timeline.json")).json;
    expect(status.statusnet_conversation_id).toBe(status.id);
  });

  test("21: AndStatus gets the status that it posted, whatever it is", async () => {
    const top = (await ann.post("/api/statuses/update.json", { status: "Top" })).json;
    const answer = { status: "Answer", in_reply_to_status_id: top.id_str };
    const hidden = { status: "Hidden", contact_allow: `<${ann.channel.channel_hash}>` };
    for (const form of [{ status: "[img]https://example.org/a.png[/img]" }, answer, hidden]) {
      const posted = await ann.post("/api/statuses/update.json", form);
      expect([posted.status, posted.json.id]).toEqual([200, expect.any(Number)]);
      const shown = await ann.get(`/api/statuses/show/${posted.json.id_str}.json`);
      expect([shown.status, shown.json.text]).toEqual([200, posted.json.text]);
    }
  });

  test("22: Choqok cuts every date at its spaces", async () => {
    await bob.post("/api/direct_messages/new.json", { screen_name: "ann", text: "Hi" });
    for (const path of ["statuses/home_timeline", "direct_messages", "statuses/friends", "lists/list"]) {
      const { json } = await ann.get(`/api/${path}.json`);
      for (const { created_at } of json) {
        const [day, month, date, time, zone, year, ...more] = created_at.split(" ");
        expect([day, month, more]).toEqual([
          expect.stringMatching(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/),
          expect.stringMatching(/^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$/),
          [],
        ]);
        expect(`${year} ${date} ${time} ${zone}`).toMatch(/^\d{4} \d\d \d\d:\d\d:\d\d \+0000$/);
      }
    }
  });
});

/** A multipart body with one text field, as .NET sends it. */
function part(name: string, text: string): FormData {
  const form = new FormData();
  form.append(name, text);
  return form;
}
