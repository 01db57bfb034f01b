import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { mastodonPeople } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { outOf } from "../../../../test/support/sent.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { listMessages, recallMessage } from "../../../domain/messages/messages.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/** A message to several people of several hubs: a note for each, and one conversation (federation contract 5, decision 180). */

let world: TestApp;
let alma: MastodonPerson;
let bella: MastodonPerson;
let carl: Xchan;
let dora: Xchan;

beforeAll(async () => {
  world = await openTestApp();
  [alma, bella] = await mastodonPeople(world, "alma", "bella");
  await befriend(world.hub, alma.channel, bella.channel);
  for (const { channel } of [alma, bella])
    await setPermissionLimits(world.hub, channel.channel_id, { post_mail: limits.authenticated });
  [carl, dora] = [await meetActor(world.hub, actorOf("carl")), await meetActor(world.hub, actorOf("dora"))];
});
afterAll(() => world.close());

const idOf = ({ channel }: MastodonPerson) => `${world.hub.config.baseUrl}/channel/${channel.channel_address}`;
const mailsOf = async ({ channel }: MastodonPerson) =>
  (await listMessages(world.hub, channel, { box: "all", count: 20 })).messages;
const talks = async (person: MastodonPerson) =>
  (await person.get("/api/v1/conversations")).json.map((talk: any) =>
    talk.accounts.map((one: any) => one.acct).toSorted(),
  );
const ofElsewhere = ["carl@far.example", "dora@far.example"];

let notes = 0;

async function writes({ xchan_hash: actor }: Xchan, to: readonly string[], more: object): Promise<string> {
  const id = `https://far.example/notes/${++notes}`;
  const tag = to.map((href) => ({ type: "Mention", href }));
  const object = { id, type: "Note", attributedTo: actor, to, cc: [], tag, directMessage: true, ...more };
  await arrivesIn(world.hub)({ id: `${id}/activity`, type: "Create", actor, to, cc: [], object });
  return id;
}

test("an answer goes to each whom it names in a note of their own, and what they answer stands in the same conversation", async () => {
  const sent = outOf(world);
  const first = await writes(dora, [idOf(alma), idOf(bella), carl.xchan_hash], { content: "<p>Who brings cake?</p>" });
  expect(await talks(alma)).toEqual([["bella", ...ofElsewhere]]);
  await sent();
  const { id, mentions } = (await alma.get("/api/v1/conversations")).json[0].last_status;
  expect(mentions.map(({ acct }: any) => acct).toSorted()).toEqual(["alma", "bella", "carl@far.example"]);
  const status = "@dora@far.example @bella @Carl@far.example I do";
  expect((await alma.post("/api/v1/statuses", { status, in_reply_to_id: id })).status).toBe(200);
  const [mail] = await mailsOf(alma);
  const out = (await sent()).toSorted((one, other) => (one.inbox < other.inbox ? -1 : 1));
  expect(
    out.map(({ inbox, activity: { to, object } }) => [inbox, to, object.to, object.tag, object.inReplyTo]),
  ).toEqual(
    [carl, dora].map(({ xchan_hash: hash, xchan_addr: address }) => [
      `${hash}/inbox`,
      [hash],
      [hash],
      [{ type: "Mention", href: hash, name: `@${address}` }],
      first,
    ]),
  );
  const ids = out.map(({ activity }) => activity.object.id);
  expect(new Set([...ids, mail!.mid]).size).toBe(3);
  expect(out[0]!.activity.object.content).toBe("@dora@far.example @bella@hub.example @carl@far.example I do");
  expect((await mailsOf(bella)).map(({ mid }) => mid)).toEqual([mail!.mid, first]);
  await alma.patch("/api/v2/notifications/policy", { for_private_mentions: "filter" });
  for (const [person, inReplyTo] of [
    [alma, ids[0]],
    [bella, ids[1]],
  ] as const)
    await writes(carl, [idOf(person)], { inReplyTo, content: "<p>@alma@hub.example @bella@hub.example Good</p>" });
  for (const [person, other] of [
    [alma, "bella"],
    [bella, "alma"],
  ] as const) {
    expect(await talks(person)).toEqual([[other, ...ofElsewhere].toSorted()]);
    const [shown] = (await person.get("/api/v1/conversations")).json;
    expect(shown.last_status.mentions.map(({ acct }: any) => acct).toSorted()).toEqual(["alma", "bella"]);
    expect(new Set((await mailsOf(person)).map(({ conv_guid }) => conv_guid)).size).toBe(1);
  }
  expect((await alma.get("/api/v1/notifications")).json[0].account.acct).toBe("carl@far.example");
  expect((await bella.post("/api/v1/statuses", { status: "Me too", in_reply_to_id: await last(bella) })).status).toBe(
    200,
  );
  expect((await sent()).map(({ activity }) => activity.to)).toEqual([[carl.xchan_hash]]);
  await recallMessage(world.hub, alma.channel, mail!.id);
  expect((await sent()).map(({ activity: { type, object } }) => [type, object.id]).toSorted()).toEqual(
    ids.toSorted().map((note) => ["Delete", note]),
  );
});

const last = async (person: MastodonPerson) => (await person.get("/api/v1/conversations")).json[0].last_status.id;

test("whoever answers what another one got is let into no conversation of theirs", async () => {
  const eve = await meetActor(world.hub, actorOf("eve"));
  const before = (await talks(alma)).length;
  const [mail] = await mailsOf(alma);
  await writes(eve, [idOf(alma)], { inReplyTo: mail!.mid, content: "<p>let me in</p>" });
  const all = await talks(alma);
  expect([all.length, all[0]]).toEqual([before + 1, ["eve@far.example"]]);
});
