import { afterAll, beforeAll, expect, test } from "vitest";
import { changeChannelSettings } from "../../src/domain/identity/channels/channel-settings.ts";
import { listApprovals } from "../../src/domain/items/approvals.ts";
import { shareOf } from "../../src/domain/items/posting/share.ts";
import { takeBackQuotation } from "../../src/domain/items/posting/quotations.ts";
import { findOwnItem } from "../../src/domain/items/find.ts";
import { copyOf, follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** Somebody of one hub quotes what stands on another, with the consent of whoever wrote it (federation contract 7). */

let world: TestHubs;
/** On the first hub, the second and the third. */
let ann: Inhabitant;
let ben: Inhabitant;
let cleo: Inhabitant;

beforeAll(async () => {
  world = await openHubs(3);
  const [one, two, three] = world.hubs;
  [ann, ben, cleo] = [await inhabitant(one!, "ann"), await inhabitant(two!, "ben"), await inhabitant(three!, "cleo")];
  for (const [who, whom] of [
    [ben, ann],
    [ann, ben],
    [cleo, ben],
  ] as const)
    await follows(world, who, whom);
});
afterAll(() => world.close());

async function post(who: Inhabitant, form: Record<string, unknown>, settles = true): Promise<string> {
  const answer = await who.post("/api/z/1.0/item/update", form);
  if (answer.status !== 200) throw new Error(answer.text);
  if (settles) await world.settle();
  return answer.json.item.mid as string;
}

const itemOf = async (who: Inhabitant, mid: string) =>
  (await findOwnItem(who.at.hub, who.channel.channel_id, { mid }))!;

/** Quotes a message that this person has. */
async function quote(who: Inhabitant, mid: string, words: string): Promise<string> {
  return post(who, { body: `${words}\n${await shareOf(who.at.hub, await itemOf(who, mid))}` });
}

/** What somebody has of it: its HTML, and whether it is a quotation. */
async function shown(who: Inhabitant, mid: string): Promise<{ html: string; quotes: boolean }> {
  const { html, shared_id } = await itemOf(who, mid);
  return { html, quotes: shared_id > 0 };
}

async function documentOf(who: Inhabitant, mid: string): Promise<any> {
  const { pathname } = new URL(mid);
  return (await who.at.anonymous.get(pathname, {}, { headers: { accept: "application/activity+json" } })).json;
}

test("whoever is quoted is asked, and what they allow is shown as a quotation everywhere", async () => {
  const mid = await post(ann, { body: "Quotable words" });
  const quoting = await quote(ben, mid, "Hear, hear");
  const stamps = await listApprovals(ann.at.hub, (await itemOf(ann, mid)).message_id);
  expect(stamps).toMatchObject([{ quoting, isRevoked: false }]);
  const stamp = `${ann.at.url}/approval/${stamps[0]!.uuid}`;
  expect(await documentOf(ben, quoting)).toMatchObject({ quote: mid, quoteAuthorization: stamp });
  for (const who of [ann, cleo]) {
    const { html, quotes } = await shown(who, quoting);
    expect([who.nick, quotes]).toEqual([who.nick, true]);
    expect(html).toContain("Hear, hear");
    expect(html).toContain("Quotable words");
    expect(html).not.toContain("RE:");
  }
  expect((await cleo.get("/api/statuses/home_timeline.json")).text).toContain("Quotable words");
});

test("what they delete is empty in every quotation of it", async () => {
  const mid = await post(ann, { body: "Deleted words" });
  const quoting = await quote(ben, mid, "I heard that");
  expect((await shown(cleo, quoting)).html).toContain("Deleted words");
  const { id } = await itemOf(ann, mid);
  world.advance(5);
  expect((await ann.post("/api/statuses/destroy", { id })).status).toBe(200);
  await world.settle();
  for (const who of [ann, ben, cleo]) {
    const { html, body } = await itemOf(who, quoting);
    expect([who.nick, html + body]).not.toEqual([who.nick, expect.stringContaining("Deleted words")]);
    expect(html).toContain("I heard that");
    expect(html).toContain("This post was removed.");
  }
  const document = await documentOf(ben, quoting);
  expect(document).not.toHaveProperty("quote");
  expect(JSON.stringify(document)).not.toContain("Deleted words");
});

test("what they take back is a link everywhere from then on", async () => {
  const mid = await post(ann, { body: "Not for long" });
  const quoting = await quote(ben, mid, "As long as it lasts");
  expect((await shown(cleo, quoting)).quotes).toBe(true);
  const { id, message_id } = await itemOf(ann, mid);
  const [stamp] = await listApprovals(ann.at.hub, message_id);
  world.advance(5);
  await takeBackQuotation(ann.at.hub, ann.channel, { id }, stamp!.uuid);
  await world.settle();
  for (const who of [ann, ben, cleo]) {
    const { html, quotes } = await shown(who, quoting);
    expect([who.nick, quotes]).toEqual([who.nick, false]);
    expect(html).not.toContain("Not for long");
    expect(html).toContain("As long as it lasts");
    expect(html).toContain(`href="${mid}"`);
  }
  expect(await documentOf(ben, quoting)).not.toHaveProperty("quote");
});

test("what they refuse becomes a link", async () => {
  const mid = await post(ann, { body: "Hands off" });
  await changeChannelSettings(ann.at.hub, ann.channel.channel_id, { quoters: "nobody" });
  const quoting = await quote(ben, mid, "I take it");
  await changeChannelSettings(ann.at.hub, ann.channel.channel_id, { quoters: "everybody" });
  for (const who of [ann, ben, cleo]) {
    const { html, quotes } = await shown(who, quoting);
    expect([who.nick, quotes]).toEqual([who.nick, false]);
    expect(html).not.toContain("Hands off");
    expect(html).toContain(mid);
  }
});

test("whoever quotes themselves asks nobody", async () => {
  const mid = await post(ben, { body: "My own words" });
  const quoting = await quote(ben, mid, "As I said");
  expect((await shown(cleo, quoting)).quotes).toBe(true);
  expect(await documentOf(ben, quoting)).not.toHaveProperty("quoteAuthorization");
  expect((await copyOf(cleo, quoting))?.html).toContain("My own words");
});
