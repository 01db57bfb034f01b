import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { mastodonClient, mastodonPeople } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend, connectionId } from "../../../../test/support/people.ts";
import { setGrant } from "../../../domain/connections/connections.ts";
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

test("an answer goes to those whom it names, who all have one conversation, and to the writer where it names nobody", async () => {
  const [amy, ben, cay, dov] = await mastodonPeople(world, "amy", "ben", "cay", "dov");
  for (const [one, other] of [
    [amy, ben],
    [amy, cay],
    [ben, cay],
    [ben, dov],
  ] as const)
    await befriend(world.hub, one.channel, other.channel);
  const [toBen, toCay] = [ben.channel.channel_hash, cay.channel.channel_hash];
  await sendMessage(world.hub, amy.channel, { to: toBen, also: [toCay], body: "Tea?" });
  const theirs = named((await mailsOf(ben))[0]!);
  const acctsOf = (people: { acct: string }[]) => people.map(({ acct }) => acct).toSorted();
  expect(acctsOf((await ben.get(`/api/v1/statuses/${theirs}`)).json.mentions)).toEqual(["ben", "cay"]);
  const answer = (status: string, to = theirs) => ben.post("/api/v1/statuses", { status, in_reply_to_id: to });
  const all = (await answer("@amy @cay yes")).json;
  expect([all.in_reply_to_id, acctsOf(all.mentions)]).toEqual([theirs, ["amy", "cay"]]);
  await answer("aside");
  await answer("@cay only you");
  expect((await answer("@amy and not @dov")).status).toBe(200);
  const said = async (person: MastodonPerson) =>
    (await mailsOf(person)).map(({ plain }) => plain.replace(/@\S+@\S+ /g, ""));
  expect(await said(amy)).toEqual(["and not @dov", "aside", "yes", "Tea?"]);
  expect(await said(cay)).toEqual(["only you", "yes", "Tea?"]);
  expect(await said(dov)).toEqual([]);
  expect((await said(ben)).length).toBe(5);
  for (const [person, others] of [
    [amy, ["ben", "cay"]],
    [ben, ["amy", "cay"]],
    [cay, ["amy", "ben"]],
  ] as const) {
    const talks = (await person.get("/api/v1/conversations")).json;
    expect(talks.map((talk: any) => acctsOf(talk.accounts))).toEqual([others]);
    expect(new Set((await mailsOf(person)).map(({ conv_guid }) => conv_guid)).size).toBe(1);
  }
  // Applications begin an answer with all names, also with that of somebody whom one blocks.
  await ben.post(`/api/v1/accounts/${cay.channel.xchan_id}/block`);
  expect(acctsOf((await answer("@amy @cay without her")).json.mentions)).toEqual(["amy"]);
  const alone = await answer("@cay you alone");
  expect([alone.status, alone.json.error]).toEqual([403, "You have blocked cay@hub.example."]);
  expect([(await said(amy))[0], (await said(cay))[0]]).toEqual(["without her", "only you"]);
  await ben.post(`/api/v1/accounts/${cay.channel.xchan_id}/unblock`);
  await setGrant(world.hub, cay.channel, await connectionId(world.hub, cay.channel, ben.channel), "post_mail", false);
  const refused = await answer("@amy @cay no more?");
  expect([refused.status, refused.json.error]).toEqual([
    422,
    expect.stringContaining("takes messages from connections only"),
  ]);
  expect((await said(amy)).length).toBe(5);
  const sent = named((await mailsOf(ben)).find(({ plain }) => plain.endsWith("yes"))!);
  await markMessagesSeen(world.hub, cay.channel, await mailsOf(cay));
  expect((await ben.send("DELETE", `/api/v1/statuses/${sent}`)).status).toBe(200);
  expect(await said(amy)).toContain("yes");
});
