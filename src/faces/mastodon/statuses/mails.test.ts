import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { mastodonClient, mastodonPeople } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { listMessages, markMessagesSeen, sendMessage } from "../../../domain/messages/messages.ts";
import type { Mail } from "../../../domain/messages/messages.ts";

/** Messages by their ids as statuses (mastodon contract 6.5). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  await befriend(world.hub, ann.channel, bob.channel);
});
afterAll(() => world.close());

/** The newest first. */
const mailsOf = async ({ channel }: MastodonPerson): Promise<Mail[]> =>
  (await listMessages(world.hub, channel, { box: "all", count: 20 })).messages;
const named = ({ id }: Mail): string => String(2 ** 51 + id);

test("a message is shown, answered once for a key, and stands in its conversation", async () => {
  await sendMessage(world.hub, ann.channel, { to: bob.channel.channel_hash, body: "Tea?" });
  const theirs = named((await mailsOf(bob))[0]!);
  const shown = (await bob.get(`/api/v1/statuses/${theirs}`)).json;
  expect([shown.id, shown.visibility, shown.account.acct]).toEqual([theirs, "direct", "ann"]);
  const answer = (status: string, key: string) =>
    bob.post("/api/v1/statuses", { status, in_reply_to_id: theirs }, { headers: { "idempotency-key": key } });
  const { json } = await answer("@ann @ann@hub.example, with @cara", "m1");
  expect([json.content, json.in_reply_to_id]).toEqual([expect.stringMatching(/^<p>with /), theirs]);
  expect((await answer("again", "m1")).json.id).toBe(json.id);
  expect((await answer("@ann", "m2")).status).toBe(422);
  const [second, first] = (await mailsOf(ann)).map(named);
  const { ancestors, descendants } = (await ann.get(`/api/v1/statuses/${second}/context`)).json;
  expect([ancestors.map((one: any) => one.id), descendants]).toEqual([[first], []]);
  for (const client of [cara, mastodonClient(world)])
    for (const path of ["", "/context"])
      expect((await client.get(`/api/v1/statuses/${theirs}${path}`)).status).toBe(404);
  expect((await cara.post("/api/v1/statuses", { status: "x", in_reply_to_id: theirs })).status).toBe(404);
  expect((await cara.post(`/api/v1/statuses/${theirs}/favourite`)).status).toBe(404);
  for (const name of ["favourite", "bookmark", "reblog", "pin", "mute"])
    expect((await bob.post(`/api/v1/statuses/${theirs}/${name}`)).status).toBe(422);
  expect((await bob.send("PUT", `/api/v1/statuses/${theirs}`, "")).status).toBe(422);
});

test("it is taken back as long as nobody has read it, and else goes on one side", async () => {
  const send = async (body: string) =>
    named(await sendMessage(world.hub, ann.channel, { to: bob.channel.channel_hash, body }));
  const unread = await send("unread");
  expect((await cara.send("DELETE", `/api/v1/statuses/${unread}`)).status).toBe(404);
  expect((await ann.send("DELETE", `/api/v1/statuses/${unread}`)).json.text).toBe("unread");
  expect((await mailsOf(bob))[0]!.body).toBe("");
  const read = await send("read");
  await markMessagesSeen(world.hub, bob.channel, await mailsOf(bob));
  expect((await ann.send("DELETE", `/api/v1/statuses/${read}`)).status).toBe(200);
  expect((await ann.get(`/api/v1/statuses/${read}`)).status).toBe(404);
  expect((await mailsOf(bob))[0]!.body).toBe("read");
});
