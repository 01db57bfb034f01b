import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { readChoices, usualChoices } from "../../domain/notifications/choices.ts";
import { administratorTopics, noticeTopics } from "../../domain/notifications/kinds.ts";
import { listNotices } from "../../domain/notifications/notices.ts";
import { notify } from "../../domain/notifications/notify.ts";

/** The settings of what people are told of. */

let world: TestApp;
let ann: Visitor;
let [channel, other]: Channel[] = [];
const path = "/settings/notices";

const memberTopics = noticeTopics.filter((topic) => !administratorTopics.includes(topic));

beforeAll(async () => {
  world = await openTestApp();
  channel = (await world.person("ann")).channel;
  other = (await world.person("bob")).channel;
  ann = visitorOf(world.app);
  await ann.logIn("ann", password);
});
afterAll(() => world.close());

const ticked = (text: string) =>
  [...text.matchAll(/name="(\w+)_page" value="1"\s+checked/g)].map(([, topic]) => topic!);

test("all that the hub tells of is ticked at first; what is not ticked any more is told no more", async () => {
  expect((await ann.get("/settings")).text).toContain(`href="${path}"`);
  expect(ticked((await ann.get(path)).text)).toEqual([...memberTopics]);
  const left = memberTopics.filter((topic) => topic !== "request");
  const pushed = memberTopics.filter((topic) => topic !== "tag");
  const form = Object.fromEntries([
    ...left.map((topic) => [`${topic}_page`, "1"]),
    ...pushed.map((topic) => [`${topic}_push`, "1"]),
  ]);
  expect((await ann.post(path, form)).location).toBe(`${path}?done=saved`);
  expect(ticked((await ann.get(path)).text)).toEqual(left);
  const chosen = await readChoices(world.hub, channel!.channel_id);
  expect(chosen).toEqual({
    ...usualChoices,
    request: { ...usualChoices.request, page: false },
    tag: { ...usualChoices.tag, push: false },
  });
  const before = (await listNotices(world.hub, channel!.channel_id)).length;
  await notify(world.hub, [{ kind: "request", to: channel!, actor: other!.xchan_id }]);
  expect(await listNotices(world.hub, channel!.channel_id)).toHaveLength(before);
  expect(await readChoices(world.hub, other!.channel_id)).toEqual(usualChoices);
});

test("it is for members, and takes nothing that it does not offer", async () => {
  expect((await visitorOf(world.app).get(path)).location).toMatch(/^\/login/);
  await ann.get(path);
  expect((await ann.post(path, { mention_page: "1", form_security_token: "x" })).status).toBe(403);
  await ann.get(path);
  const odd = await ann.post(path, { mention_page: "1", mention_mail: "hourly" });
  expect([odd.status, odd.text.includes("at once, once a day or never")]).toEqual([422, true]);
  expect((await readChoices(world.hub, channel!.channel_id)).tag.page).toBe(true);
});
