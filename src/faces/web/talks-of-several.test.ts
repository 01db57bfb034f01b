import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";
import { block, unblock } from "../../domain/connections/connections.ts";
import { removeChannel } from "../../domain/connections/remove-channel.ts";
import { setPermissionLimits } from "../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../domain/identity/channels/roles.ts";
import { findXchan } from "../../domain/identity/xchans/xchans.ts";
import { deleteConversation } from "../../domain/messages/remove.ts";
import { sendMessage } from "../../domain/messages/send.ts";

/** Conversations of several people: they are theirs alone, and go on when one of them leaves the hub. */

const secret = "marmalade";

let world: TestApp;
const people = new Map<string, Person>();
const channelOf = (nick: string) => people.get(nick)!.channel;

beforeAll(async () => {
  world = await openTestApp();
  for (const nick of ["ann", "ben", "carl", "dora", "eve", "frank"]) {
    const person = await world.person(nick);
    await setPermissionLimits(world.hub, person.channel.channel_id, { post_mail: limits.authenticated });
    people.set(nick, person);
  }
});
afterAll(() => world.close());

async function browserOf(nick: string): Promise<Visitor> {
  const browser = visitorOf(world.app);
  await browser.logIn(nick, password);
  return browser;
}

/** Ann writes to Ben and others. Answers the conversation of each of them. */
async function begin(body: string, ...others: string[]): Promise<Map<string, number>> {
  const also = others.map((nick) => channelOf(nick).channel_hash);
  const { mid } = await sendMessage(world.hub, channelOf("ann"), { to: channelOf("ben").channel_hash, also, body });
  const copies = await world.hub.db.selectFrom("mail").select(["id", "channel_id"]).where("mid", "=", mid).execute();
  return new Map(
    ["ann", "ben", ...others].map((nick) => [
      nick,
      copies.find((copy) => copy.channel_id === channelOf(nick).channel_id)!.id,
    ]),
  );
}

const textIn = (page: VisitedPage): string => /<textarea[^>]*>([^<]*)/.exec(page.text)![1]!.trim();

test("whoever is none of them learns neither what is said nor who they are, also when one has removed it", async () => {
  const ids = await begin(`${secret} for three`, "carl");
  const outside: [Person | TestApp["anonymous"], Visitor][] = [
    [people.get("eve")!, await browserOf("eve")],
    [world.anonymous, visitorOf(world.app)],
  ];
  const looks = async () => {
    for (const [client, browser] of outside)
      for (const id of ids.values()) {
        const real = await browser.get(`/mail/${id}`);
        const unknown = await browser.get("/mail/987654321");
        expect([real.status, real.text.includes(secret)]).toEqual([unknown.status, false]);
        expect(real.text).not.toMatch(/Carl|carl@/);
        for (const path of ["", "/sent", "/all"])
          expect((await client.get(`/api/direct_messages${path}`)).text).not.toMatch(/marmalade|carl/);
        const found = await client.get("/api/svc/direct_messages_search", { searchstring: "marmalade" });
        expect(found.text).not.toContain("for three");
        const shown = await client.get(`/api/direct_messages/show/${id}`);
        const never = await client.get("/api/direct_messages/show/987654321");
        expect(shown.status).toBe(never.status);
      }
  };
  await looks();
  await deleteConversation(world.hub, channelOf("ben"), ids.get("ben")!);
  await looks();
  const ben = await browserOf("ben");
  expect((await ben.get(`/mail/${ids.get("ben")!}`)).status).toBe(404);
  expect((await ben.get("/mail")).text).not.toContain(secret);
  expect((await people.get("ben")!.get("/api/direct_messages/all")).text).not.toContain(secret);
  expect((await people.get("carl")!.get("/api/direct_messages")).text).toContain(secret);
});

test("when the one who wrote last has left the hub, the answer goes to the one who is left", async () => {
  const ids = await begin("Who sings?", "frank");
  const copy = { replyTo: ids.get("frank")!, body: "I do" };
  const [ann, ben] = [channelOf("ann").channel_hash, channelOf("ben").channel_hash];
  const { mid } = await sendMessage(world.hub, channelOf("frank"), { to: ben, also: [ann], ...copy });
  const { id } = await world.hub.db
    .selectFrom("mail")
    .select("id")
    .where("mid", "=", mid)
    .where("channel_id", "=", channelOf("ben").channel_id)
    .executeTakeFirstOrThrow();
  await removeChannel(world.hub, channelOf("frank").channel_id);
  await world.work();
  const browser = await browserOf("ben");
  expect(textIn(await browser.get(`/mail/${id}`))).toBe("");
  expect((await browser.post(`/mail/${id}`, { body: "And I" })).status).toBe(303);
  expect((await people.get("ann")!.get("/api/direct_messages")).json[0].text).toContain("And I");
});

test("an answer leaves out whom one blocks", async () => {
  const ids = await begin("Who sings bass?", "carl");
  const browser = await browserOf("ben");
  await block(world.hub, channelOf("ben"), (await findXchan(world.hub, { hash: channelOf("carl").channel_hash }))!);
  const path = `/mail/${ids.get("ben")!}`;
  expect(textIn(await browser.get(path))).toBe("");
  const refused = await browser.post(path, { body: "@carl you alone" });
  expect([refused.status, refused.text.includes("You have blocked carl@hub.example.")]).toEqual([403, true]);
  expect((await browser.post(path, { body: "@ann @carl not I" })).status).toBe(303);
  expect((await people.get("ann")!.get("/api/direct_messages")).json[0].text).toContain("not I");
  expect((await people.get("carl")!.get("/api/direct_messages")).text).not.toContain("not I");
  await unblock(world.hub, channelOf("ben"), channelOf("carl").channel_hash);
});

test("when one of them has left the hub, an answer to all goes to the others", async () => {
  const ids = await begin("Who brings cake?", "dora");
  const browser = await browserOf("ben");
  const path = `/mail/${ids.get("ben")!}`;
  expect(textIn(await browser.get(path))).toBe("@ann@hub.example @dora@hub.example");
  await removeChannel(world.hub, channelOf("dora").channel_id);
  await world.work();
  expect(textIn(await browser.get(path))).toBe("");
  for (const body of ["@ann@hub.example @dora@hub.example I do", "I do, too"])
    expect((await browser.post(path, { body })).status).toBe(303);
  const bodies = await world.hub.db
    .selectFrom("mail")
    .select("body")
    .where("channel_id", "=", channelOf("ann").channel_id)
    .where("from_xchan", "=", channelOf("ben").channel_hash)
    .orderBy("id")
    .execute();
  expect(bodies.slice(-2).map(({ body }) => body)).toEqual(["@dora@hub.example I do", "I do, too"]);
});
