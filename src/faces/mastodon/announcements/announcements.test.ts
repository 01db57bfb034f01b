import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { password } from "../../../../test/support/hub.ts";
import { mastodonPerson } from "../../../../test/support/mastodon.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";

/** What those who run the hub say to all members, as applications and pages show it. */

let world: TestApp;
let [anns, bobs]: Client[] = [];
let [admin, member]: Visitor[] = [];
const path = "/api/v1/announcements";
const desk = "/admin/announcements";

beforeAll(async () => {
  world = await openTestApp();
  const [ann, bob] = [(await world.person("ann")).channel, (await world.person("bob")).channel];
  const { channel_account_id: account } = ann;
  await world.hub.db.updateTable("account").set({ account_roles: 4096 }).where("account_id", "=", account).execute();
  [anns, bobs] = [await mastodonPerson(world, ann), await mastodonPerson(world, bob)];
  [admin, member] = [visitorOf(world.app), visitorOf(world.app)];
  await admin.logIn("ann", password);
  await member.logIn("bob", password);
});
afterAll(() => world.close());

const shown = async (client: Client, query: Record<string, string> = {}): Promise<any[]> =>
  (await client.get(path, query)).json;
async function say(form: Record<string, string>): Promise<void> {
  await admin!.get(desk);
  expect((await admin!.post(desk, form)).location).toBe(`${desk}?done=saved`);
}
async function act(id: string, deed: string): Promise<void> {
  await admin!.get(desk);
  expect((await admin!.post(`${desk}/${id}/${deed}`, {})).status).toBe(303);
}

test("a draft is shown to nobody; what is published is shown to every member until they dismiss it", async () => {
  await say({ body: "Tea **tonight** <script>alert(1)</script>" });
  expect(await shown(bobs!)).toEqual([]);
  const [, id] = /\/admin\/announcements\/(\d+)"/.exec((await admin!.get(desk)).text)!;
  await act(id!, "publish");
  const [one, ...others] = await shown(bobs!);
  expect(one).toMatchObject({ id, starts_at: null, ends_at: null, all_day: false, read: false, reactions: [] });
  expect([one.content, others]).toEqual([expect.stringContaining("<strong>tonight</strong>"), []]);
  expect(one.content).not.toContain("<script");
  expect((await world.anonymous.get(path)).status).toBe(401);
  const page = await member!.get("/notifications");
  expect(page.text).toContain(`id="announcement-${id}"`);
  expect((await visitorOf(world.app).get("/about")).text).not.toContain("tonight");
  await member!.post("/announcements/dismiss", { id: id! });
  expect((await member!.get("/network")).text).not.toContain(`id="announcement-${id}"`);
  expect((await admin!.get("/network")).text).toContain(`id="announcement-${id}"`);
  expect([await shown(bobs!), (await shown(bobs!, { with_dismissed: "true" }))[0].read]).toEqual([[], true]);
  expect((await anns!.post(`${path}/${id}/dismiss`)).json).toEqual({});
  expect((await anns!.post(`${path}/${id}/dismiss`)).json).toEqual({});
  expect((await anns!.post(`${path}/999999/dismiss`)).status).toBe(404);
});

test("people say something to it by emoji, each once, and take it back", async () => {
  const [{ id }] = await shown(bobs!, { with_dismissed: "true" });
  const react = (client: Client, name: string, method = "PUT") =>
    client.send(method, `${path}/${id}/reactions/${encodeURIComponent(name)}`);
  for (const client of [anns!, bobs!, bobs!]) expect((await react(client, "🎉")).json).toEqual({});
  expect((await react(anns!, "🐈")).status).toBe(200);
  const said = async (client: Client) => (await shown(client, { with_dismissed: "true" }))[0].reactions;
  expect(await said(bobs!)).toEqual([
    { name: "🎉", count: 2, me: true },
    { name: "🐈", count: 1, me: false },
  ]);
  expect((await react(bobs!, "🎉", "DELETE")).json).toEqual({});
  expect((await react(bobs!, "🎉", "DELETE")).json).toEqual({});
  expect(await said(bobs!)).toContainEqual({ name: "🎉", count: 1, me: false });
  for (const wrong of ["tea", "🎉🎉", "<b>"]) expect((await react(bobs!, wrong)).status).toBe(422);
  for (const more of ["🍵", "🍰", "🥄", "🫖", "🍪", "🍯"]) expect((await react(bobs!, more)).status).toBe(200);
  expect((await react(bobs!, "🥛")).status).toBe(422);
  expect((await bobs!.send("PUT", `${path}/999999/reactions/${encodeURIComponent("🎉")}`)).status).toBe(404);
});

test("it waits for its time, ends at its end, is edited and removed, by administrators alone", async () => {
  await admin!.get(desk);
  expect((await admin!.post(desk, { body: " " })).status).toBe(422);
  const back = await admin!.post(desk, { body: "x", published: "2099-01-02T10:00", ends: "2099-01-01T10:00" });
  expect([back.status, back.text.includes("It would end before it begins.")]).toEqual([422, true]);
  const at = (minutes: number) => new Date(world.hub.clock().getTime() + minutes * 60_000).toISOString().slice(0, 16);
  await say({ body: "Cake later", published: at(30), ends: at(90) });
  const texts = async () => (await shown(anns!)).map(({ content }) => content);
  expect(await texts()).toEqual([]);
  expect((await admin!.get(desk)).text).toContain("Waits for its time:");
  world.hub.advance(31 * 60);
  await world.work();
  expect(await texts()).toEqual(["<p>Cake later</p>"]);
  const [{ id }] = await shown(anns!);
  expect((await admin!.get(`${desk}/${id}`)).text).toContain("Cake later");
  await admin!.post(`${desk}/${id}`, { body: "Cake now", published: at(-1), ends: at(60) });
  expect(await texts()).toEqual(["<p>Cake now</p>"]);
  world.hub.advance(61 * 60);
  await world.work();
  expect(await texts()).toEqual([]);
  await act(id, "remove");
  expect((await admin!.get(`${desk}/${id}`)).status).toBe(404);
  await member!.get("/network");
  for (const [address, form] of [
    [desk, { body: "mine" }],
    [`${desk}/${id}/publish`, {}],
  ] as const)
    expect((await member!.post(address, form)).status).toBe(404);
});
