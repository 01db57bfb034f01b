import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../src/main.ts";
import { makeChannel, openTestHub, password } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";

/** Characters and numbers that no row can have: PostgreSQL refuses them in questions, and nobody's address is a fault of the hub. */

let hub: TestHub;
let app: ReturnType<typeof createApp>;

beforeAll(async () => {
  hub = await openTestHub();
  await makeChannel(hub, "alice");
  app = createApp(hub);
});
afterAll(() => hub.close());

const ask = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
  const answer = await app.request(`http://hub.example${path}`, { headers });
  await answer.text();
  return answer.status;
};

const basic = (login: string, secret: string = password) => ({
  authorization: `Basic ${Buffer.from(`${login}:${secret}`).toString("base64")}`,
});
const base64 = (text: string): string => Buffer.from(text).toString("base64url");
const hash = "a".repeat(64);

test.each([
  ["a nick", basic("al\0ice"), 401],
  ["an address", basic("alice\0@hub.example"), 401],
  ["a password", basic("alice", "a\0b"), 401],
])("NUL in %s of somebody who logs in", async (_where, headers, status) => {
  expect(await ask("/api/account/verify_credentials.json", headers)).toBe(status);
});

test("NUL in the token of a guest", async () => {
  expect(await ask("/channel/alice", { cookie: `hubbub_guest=${base64("a\0b")}` })).toBe(200);
  expect(await ask("/channel/alice?zat=a%00b")).toBeLessThan(500);
});

/** Of pages that anybody may look at, with NUL, and with numbers that are too large. */
const addresses = [
  "/channel/a%00b",
  "/profile/a%00b",
  "/photo/a%00b-2.jpg",
  "/attach/a%00b",
  "/display/a%00b",
  `/display/b64.${base64("a\0b")}`,
  `/item/b64.${base64("a\0b")}`,
  "/cloud/alice/a%00b",
  "/page/alice/a%00b",
  "/wiki/alice/a%00b",
  "/wiki/alice/a%00b/Home",
  "/photos/alice/image/a%00b",
  `/photos/alice/album/${Buffer.from("a\0b").toString("hex")}`,
  "/search?tag=a%00b",
  "/events/ical/a%00b",
  "/event/a%00b",
  "/api/oauth/authorize?oauth_token=a%00b",
  "/setup?token=a%00b",
  "/photo/profile/l/99999999999999999999",
  `/photo/${hash}-99999999999.jpg`,
  `/attach/${hash}/99999999999`,
  "/channel/alice?before=99999999999999999999",
  "/public?before=99999999999999999999",
  "/directory?before=1e400",
  "/.well-known/webfinger?resource=a%00b",
  "/.well-known/webfinger?resource=acct:a%00b@hub.example",
  "/.well-known/webfinger?resource=http://hub.example/channel/%ff",
];

test.each(addresses)("what nobody has, asked by a stranger: %s", async (path) => {
  expect(await ask(path)).toBeLessThan(500);
});

test.each([
  "/api/statuses/show/99999999999999999999.json",
  "/api/statuses/home_timeline.json?since_id=99999999999999999999&max_id=-1&page=99999999999",
  "/api/users/show.json?user_id=99999999999",
  "/api/z/1.0/file?file_id=a%00b&revision=99999999999",
  `/api/z/1.0/photo?photo_id=${hash}&scale=99999999999`,
  "/api/z/1.0/network/stream?start=99999999999&records=99999999999",
  "/api/z/1.0/files?start=99999999999",
  "/api/z/1.0/group_members?group_id=99999999999",
  "/api/direct_messages.json?since_id=99999999999999999999&page=99999999999",
  "/api/svc/photos.json?page=99999999999999999999",
])("what nobody has, asked by alice: %s", async (path) => {
  expect(await ask(path, basic("alice"))).toBeLessThan(500);
});
