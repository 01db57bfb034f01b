import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { basic } from "./support/client.ts";
import { makePeople, newPlace, serve } from "./support/command.ts";
import { password } from "./support/hub.ts";
import { befriend } from "./support/people.ts";
import { formWith, picture } from "./support/pictures.ts";

/** Traps 47 to 57 of microblog contract 12, of client libraries; those that are tested elsewhere stand in traps.test.ts. */

let world: TestApp;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
});
afterAll(() => world.close());

describe("47: parameters anywhere", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };

  test("in query and form at once with the same value", async () => {
    const answer = await ann.send("POST", "/api/1.1/statuses/update.json?status=Twice", "status=Twice", {
      headers: form,
    });
    expect(answer.json.text).toBe("Twice");
  });

  test.each(["application/json", "text/plain", "application/x-www-form-urlencoded", undefined])(
    "in the query with an empty body of type %s, by every method that writes",
    async (type) => {
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      const send = (method: string, path: string) => ann.send(method, `/api/1.1/${path}`, "", { headers });
      const { id } = (await send("POST", "statuses/update.json?status=Empty")).json;
      expect((await send("PUT", `favorites/create.json?id=${id}`)).json.favorited).toBe(true);
      expect((await send("DELETE", `favorites/destroy.json?id=${id}`)).json.favorited).toBe(false);
      expect((await send("DELETE", `statuses/destroy.json?id=${id}`)).json.id).toBe(id);
    },
  );

  test("in the query, beside a body of a type that holds none", async () => {
    const sent = { headers: { "content-type": "text/plain" } };
    const { json } = await ann.send("POST", "/api/1.1/statuses/update.json?status=Beside", "status=Inside", sent);
    expect(json.text).toBe("Beside");
  });

  test("in a multipart body without a file", async () => {
    const { json } = await ann.send("POST", "/api/1.1/lists/create.json", formWith({ name: "By parts" }, []));
    expect(json.name).toBe("By parts");
  });
});

test("50: an offer of HTTP/2 is passed over", async () => {
  const place = await newPlace();
  await makePeople(place, "ann");
  const running = await serve(place);
  try {
    const answer = await new Promise<[version: string, status?: number]>((resolve, reject) => {
      const headers = {
        connection: "Upgrade, HTTP2-Settings",
        upgrade: "h2c",
        "http2-settings": "AAMAAABkAAQCAAAAAAIAAAAA",
        authorization: basic(`ann:${password}`),
        "content-type": "application/x-www-form-urlencoded",
      };
      const sent = request(`${place.url}/api/statuses/update.json`, { method: "POST", headers }, (got) => {
        got.resume().on("end", () => resolve([got.httpVersion, got.statusCode!]));
      });
      sent.on("error", reject).on("upgrade", () => reject(new Error("It was upgraded.")));
      sent.end("status=Ruby");
    });
    expect(answer).toEqual(["1.1", 200]);
  } finally {
    await running.stop();
    await place.remove();
  }
});

test("52: what there is not is left out", async () => {
  const carl = await world.person("carl");
  for (const path of ["users/show/carl", "account/verify_credentials"])
    expect((await carl.get(`/api/1.1/${path}.json`)).json).not.toHaveProperty("status");
  const { json } = await carl.post("/api/1.1/statuses/update.json", { status: "Alone" });
  for (const name of ["retweeted_status", "quoted_status", "quoted_status_id"]) expect(json).not.toHaveProperty(name);
  expect(json).toMatchObject({ place: null, geo: null, coordinates: null, in_reply_to_status_id: null });
  const query = { getUserObjects: "false" };
  await ann.post("/api/1.1/direct_messages/new.json", { screen_name: "bob", text: "Hi" });
  const [message] = (await bob.get("/api/1.1/direct_messages.json", query)).json;
  for (const name of ["sender", "recipient"]) expect(message).not.toHaveProperty(name);
});

describe("53: below 1.1", () => {
  test("cursors are numbers, and 0 at the end", async () => {
    for (const [path, list] of [
      ["friends/ids", "ids"],
      ["followers/ids", "ids"],
      ["friends/list", "users"],
      ["blocks/list", "users"],
      ["blocks/ids", "ids"],
      ["friendships/incoming", "ids"],
      ["friendships/outgoing", "ids"],
      ["lists/ownerships", "lists"],
    ] as const) {
      const { json } = await ann.get(`/api/1.1/${path}.json`, { cursor: -1 });
      expect([path, json]).toMatchObject([path, { [list]: expect.any(Array), next_cursor: 0, previous_cursor: 0 }]);
    }
  });

  test("every status has entities, pictures too", async () => {
    const bytes = await picture(700, 400).jpeg().toBuffer();
    const form = formWith({}, [["media", bytes, "blob", "application/octet-stream"]]);
    const { media_id_string } = (await ann.send("POST", "/api/1.1/media/upload.json", form)).json;
    const words = { status: "Look @bob #tea https://example.org/a", media_ids: media_id_string };
    const { json } = await ann.post("/api/1.1/statuses/update.json", words);
    expect(json.entities).toMatchObject({
      urls: [{ expanded_url: "https://example.org/a" }],
      user_mentions: [{ screen_name: "bob" }],
      hashtags: [{ text: "tea" }],
      media: [
        {
          id: expect.any(Number),
          type: "photo",
          media_url: expect.any(String),
          media_url_https: expect.any(String),
          url: expect.any(String),
          display_url: expect.any(String),
          expanded_url: expect.any(String),
          sizes: { medium: { w: expect.any(Number), h: expect.any(Number) } },
        },
      ],
    });
    for (const path of ["statuses/home_timeline", "statuses/user_timeline", "favorites/list"]) {
      for (const status of (await ann.get(`/api/1.1/${path}.json`)).json)
        expect(status.entities).toMatchObject({ urls: expect.any(Array), user_mentions: expect.any(Array) });
    }
  });
});

test("57: what is removed is answered, and lists have every name", async () => {
  const { json: list } = await ann.post("/api/1.1/lists/create.json", { name: "Late tea", mode: "private" });
  expect(list).toMatchObject({
    name: "Late tea",
    slug: "late-tea",
    full_name: "@ann/late-tea",
    mode: "private",
    description: "",
    user: { screen_name: "ann" },
  });
  expect((await ann.post("/api/1.1/lists/destroy.json", { list_id: list.id_str })).json).toEqual(list);
  const { json: status } = await ann.post("/api/1.1/statuses/update.json", { status: "Gone" });
  expect((await ann.post(`/api/1.1/statuses/destroy/${status.id_str}.json`)).json).toEqual(status);
});
