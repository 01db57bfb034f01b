import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, unfollow } from "../src/domain/connections/connections.ts";
import { trimSentFollows } from "../src/domain/connections/sent-follows.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import type { Xchan } from "../src/domain/identity/xchans/xchans.ts";
import { now } from "../src/hub.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { mastodonPerson } from "./support/mastodon.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** A channel asks 400 people of elsewhere in a day and no more, by whichever door (federation contract 13). */

const sentence = "You have asked 400 people of other servers within a day. Go on tomorrow.";

let world: TestApp;
let ann: Person;
let bob: Person;
let carla: Xchan;
let page: Visitor;
let app: Client;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on" } });
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  carla = await meetActor(world.hub, actorOf("carla"));
  const sent = now(world.hub);
  const rows = Array.from({ length: 399 }, () => ({ uid: ann.channel.channel_id, sent }));
  await world.hub.db.insertInto("sent_follow").values(rows).execute();
  app = await mastodonPerson(world, ann.channel);
  page = visitorOf(world.app);
  await page.logIn("ann", password);
});
afterAll(() => world.close());

const viaPage = async () => {
  await page.get("/connections");
  return page.post("/follow", { xchan: carla.xchan_hash });
};

test("the last one may be asked, and taking that back gives nothing back", async () => {
  await connect(world.hub, ann.channel, carla);
  await unfollow(world.hub, ann.channel, carla.xchan_hash);
  await expect(connect(world.hub, ann.channel, carla)).rejects.toMatchObject({
    code: "too_many_follows",
    retryAfter: 86_400,
  });
});

test("pages, applications and clients say why, and when it goes on", async () => {
  const shown = await viaPage();
  expect([shown.status, shown.text.includes(sentence)]).toEqual([429, true]);
  const asked = await app.post(`/api/v1/accounts/${carla.xchan_id}/follow`);
  expect([asked.status, asked.json.error, asked.headers.get("retry-after")]).toEqual([429, sentence, "86400"]);
  const client = await ann.post("/api/friendships/create", { user_id: String(carla.xchan_id) });
  expect([client.status, client.text.includes(sentence)]).toEqual([429, true]);
});

test("people of this hub are not counted, and neither is what others ask", async () => {
  await connect(world.hub, ann.channel, { xchan_hash: bob.channel.channel_hash });
  await connect(world.hub, bob.channel, carla);
});

test("a day later it begins anew, and nothing of before is kept", async () => {
  world.hub.advance(24 * 3600);
  await trimSentFollows(world.hub);
  expect(await world.hub.db.selectFrom("sent_follow").select("id").execute()).toEqual([]);
  expect((await viaPage()).status).toBe(303);
});
