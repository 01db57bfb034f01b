import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../../test/support/app.ts";
import { put } from "../../../../../test/support/files.ts";
import { password } from "../../../../../test/support/hub.ts";
import { befriend } from "../../../../../test/support/people.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { createChannel, listChannels } from "../../../../domain/identity/channels/channels.ts";
import { leaveFor } from "../../../../domain/identity/channels/moved.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";

/** One of several channels is removed on its page, with the password, and the account goes on as another one. */

const page = "/settings/channel/remove";
let world: TestApp;
let alma: Person;
let browser: Visitor;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  const bruno = await world.person("bruno");
  await befriend(world.hub, alma.channel, bruno.channel);
  browser = visitorOf(world.app);
  await browser.logIn("alma", password);
});
afterAll(() => world.close());

test("the only channel of an account stays, and its page says why and what there is instead", async () => {
  const shown = await browser.get(page);
  expect(shown.text).toContain("It is the only channel of your account.");
  expect(shown.text).not.toContain('name="sure"');
  expect((await browser.post(page, { sure: "1", password })).status).toBe(422);
  expect((await alma.get("/api/account/verify_credentials")).status).toBe(200);
});

test("one of several goes with the password and a tick, and the browser goes on as the other one", async () => {
  const { hub } = world;
  const account = { account_id: alma.channel.channel_account_id };
  const choir = await createChannel(hub, account, { nick: "choir", name: "Choir" });
  await postItem(hub, choir, { body: "words that stay" });
  await postItem(hub, alma.channel, { body: "words that go" });
  await put(hub, alma.channel, "plan.txt", new TextEncoder().encode("a plan"));
  const { text } = await browser.get(page);
  for (const part of ["Remove the channel Alma", "1 post or comment", "1 file", "1 connection"])
    expect(text).toContain(part);
  for (const wrong of [{ password }, { sure: "1", password: "wrong horse" }])
    expect((await browser.post(page, wrong)).status).toBe(422);
  expect((await world.anonymous.get("/channel/alma")).status).toBe(200);
  await leaveFor(hub, alma.channel, { url: "https://new.example", nick: "alma" });
  expect((await browser.get(page)).text).toMatch(/It has moved away to [^]*alma@new\.example/);
  expect((await browser.post(page, { sure: "1", password })).location).toBe("/manage?done=channelremoved");
  await world.work();
  const after = (await browser.get("/manage?done=channelremoved")).text;
  expect(after).toContain("The channel is removed.");
  expect(after).not.toContain("alma@");
  expect((await world.anonymous.get("/channel/alma")).status).toBe(404);
  expect((await world.anonymous.get("/channel/choir")).text).toContain("words that stay");
  expect((await browser.get("/settings/profile")).text).toContain("Choir");
  const files = hub.db.selectFrom("attach").select("id").where("uid", "=", alma.channel.channel_id);
  expect(await files.execute()).toEqual([]);
});

test("two browsers that remove the last two channels at the same time leave one", async () => {
  const { hub } = world;
  const carla = await world.person("carla");
  const account = { account_id: carla.channel.channel_account_id };
  const band = await createChannel(hub, account, { nick: "band", name: "Band" });
  const browsers = await Promise.all(
    [carla.channel, band].map(async ({ channel_id: channel }) => {
      const one = visitorOf(world.app);
      await one.logIn("carla", password);
      await one.get("/manage");
      await one.post("/manage", { channel: String(channel) });
      await one.get(page);
      return one;
    }),
  );
  const answers = await Promise.all(browsers.map((one) => one.post(page, { sure: "1", password })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
  const left = await listChannels(hub, account.account_id);
  expect(left).toHaveLength(1);
  const stays = browsers[answers.findIndex(({ status }) => status === 422)]!;
  expect((await stays.get(page)).text).toContain("It is the only channel of your account.");
});
