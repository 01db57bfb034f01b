import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { actorOf } from "../../../test/support/actors.ts";
import { bearerFor, mastodonClient } from "../../../test/support/mastodon.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import { password } from "../../../test/support/hub.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import type { Arrives } from "../../../test/support/incoming.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { connect, receiveAccept } from "../../domain/connections/connections.ts";
import { changeChannelSettings } from "../../domain/identity/channels/channel-settings.ts";
import { setPermissionLimits } from "../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../domain/identity/channels/roles.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { trimFirstContacts } from "../../domain/items/first-contacts.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { sendMessage } from "../../domain/messages/send.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";

/** What strangers write to somebody who wants to be asked first (federation contract 13). */

let world: TestApp;
let alma: Person;
let bob: Person;
let member: Visitor;
let stranger: Xchan;
let arrives: Arrives;
const elsewhere = openElsewhere();
const everybody = "https://www.w3.org/ns/activitystreams#Public";
const days = 24 * 3600;

beforeAll(async () => {
  world = await openTestApp({ fetch: elsewhere.fetch });
  [alma, bob] = [await world.person("alma"), await world.person("bob")];
  await changeChannelSettings(world.hub, alma.channel.channel_id, { newFor: 7 });
  await setPermissionLimits(world.hub, alma.channel.channel_id, {
    post_mail: limits.authenticated,
    post_comments: limits.authenticated,
  });
  member = visitorOf(world.app);
  await member.logIn("alma", password);
  arrives = arrivesIn(world.hub);
});
afterAll(() => world.close());

let count = 0;
/** Somebody whom the hub meets now. */
async function meets(): Promise<Xchan> {
  const nick = `stranger${++count}`;
  elsewhere.actor(nick);
  stranger = await meetActor(world.hub, actorOf(nick));
  return stranger;
}

const idOf = ({ nick }: Person): string => `${world.hub.config.baseUrl}/channel/${nick}`;
const mention = (who: Person) => ({ type: "Mention", href: idOf(who), name: `@${who.nick}` });

function note(more: object = {}, author = stranger) {
  const id = `https://far.example/notes/${++count}`;
  const tag = [mention(alma)];
  return {
    id,
    type: "Note",
    attributedTo: author.xchan_hash,
    to: [everybody],
    cc: [idOf(alma)],
    content: `knock${count}`,
    tag,
    ...more,
  };
}
type Note = ReturnType<typeof note>;
const message = (more: object = {}) => note({ to: [idOf(alma)], cc: [], ...more });

async function comes(object: Note, type = "Create", inboxes = [alma.channel]): Promise<void> {
  const { attributedTo: actor, to, cc } = object;
  await arrives({ id: `${object.id}/${type}/${++count}`, type, actor, to, cc, object }, inboxes);
  await world.work();
}

const held = async () => (await member.get("/moderate/strangers")).text;
const firstForm = (page: string): string => /action="(\/moderate\/strangers\/\d+)"/.exec(page)![1]!;
async function decide(act: "approve" | "refuse"): Promise<void> {
  const page = await held();
  expect((await member.post(firstForm(page), { act })).status).toBe(303);
  await world.work();
}

/** The doors by which somebody gets to see this text. */
async function seen(who: Person, text: string): Promise<string[]> {
  const visitor = who === alma ? member : visitorOf(world.app);
  if (who !== alma) await visitor.logIn(who.nick, password);
  const application = mastodonClient(world, await bearerFor(world, who.channel, "read"));
  const pages = ["/network", "/pubstream", "/mail", "/notifications"];
  const microblog = ["statuses/home_timeline", "statuses/mentions", "direct_messages", "search"].map(
    (name) => `/api/${name}`,
  );
  const mastodon = ["v1/conversations", "v1/timelines/home", "v1/timelines/public", "v1/notifications", "v2/search"];
  const shown: [string, { text: string }][] = [];
  for (const path of pages) shown.push([path, await visitor.get(path)]);
  for (const path of [...microblog, "/api/z/1.0/network/stream"]) shown.push([path, await who.get(path, { q: text })]);
  for (const path of mastodon) shown.push([path, await application.get(`/api/${path}`, { q: text })]);
  return shown.filter(([, answer]) => answer.text.includes(text)).map(([path]) => path);
}

test("a mention waits, is nowhere until it is let in, and then is like any other", async () => {
  await meets();
  const one = note();
  for (let n = 0; n < 2; n++) await comes(one);
  expect(await seen(alma, one.content)).toEqual([]);
  const page = await held();
  expect(page).toContain(one.content);
  expect(page.match(/class="card kept-back"/g)).toHaveLength(1);
  expect((await member.get("/notifications")).text).toContain("it waits for you");
  expect(elsewhere.asked.filter(({ url }) => url === one.id)).toEqual([]);
  await decide("approve");
  expect(await held()).not.toContain(one.content);
  expect((await member.get("/notifications")).text).not.toContain("it waits for you");
  expect(await seen(alma, one.content)).toEqual(
    expect.arrayContaining(["/api/statuses/mentions", "v1/notifications", "v1/timelines/public"]),
  );
  // From now on nothing of them waits.
  const next = note();
  await comes(next);
  expect(await seen(alma, next.content)).toContain("/api/statuses/mentions");
});

test("so does a message, with what was changed of it", async () => {
  await meets();
  const one = message({ content: "leek1" });
  await comes(one);
  await comes({ ...one, content: "leek2" }, "Update");
  expect(await seen(alma, "leek2")).toEqual([]);
  const page = await held();
  expect([page.includes("leek2"), page.includes("leek1")]).toEqual([true, false]);
  await decide("approve");
  expect(await seen(alma, "leek2")).toEqual(expect.arrayContaining(["/mail", "/api/direct_messages"]));
});

test("what is refused or deleted is gone, and whoever is refused may knock again", async () => {
  await meets();
  const [refused, deleted] = [note(), message()];
  await comes(refused);
  await decide("refuse");
  expect([await held(), await seen(alma, refused.content)]).toEqual([expect.not.stringContaining(refused.content), []]);
  await comes(deleted);
  expect(await held()).toContain(deleted.content);
  await arrives({ id: `${deleted.id}/gone`, type: "Delete", actor: deleted.attributedTo, object: deleted.id });
  expect(await held()).not.toContain(deleted.content);
});

test("others neither see nor decide what waits, and get what is for them", async () => {
  await meets();
  const one = note({ cc: [idOf(alma), idOf(bob)], tag: [mention(alma), mention(bob)] });
  await comes(one, "Create", [alma.channel, bob.channel]);
  expect(await seen(bob, one.content)).toContain("/api/statuses/mentions");
  const form = firstForm(await held());
  const other = visitorOf(world.app);
  await other.logIn("bob", password);
  expect((await other.get("/moderate/strangers")).text).not.toContain(one.content);
  for (const act of ["approve", "refuse"]) expect((await other.post(form, { act })).status).toBe(404);
  expect((await member.post(form, { act: "else" })).status).toBe(422);
  expect(await held()).toContain(one.content);
  await decide("refuse");
});

test("whom somebody here follows, whoever was written to first, and whoever answers is no stranger", async () => {
  const { hub } = world;
  for (const known of [
    async () => {
      await connect(hub, bob.channel, stranger);
      await receiveAccept(hub, bob.channel, stranger);
      return note();
    },
    async () => {
      await sendMessage(hub, alma.channel, { to: stranger.xchan_hash, body: "Hello" });
      return message();
    },
    async () => note({ inReplyTo: (await postItem(hub, alma.channel, { body: "Who is there?" })).mid }),
    async () => {
      const { uuid } = await postItem(hub, alma.channel, { body: "And there?" });
      return note({ inReplyTo: `${hub.config.baseUrl}/display/${uuid}` });
    },
    () => {
      hub.advance(8 * days);
      return Promise.resolve(note());
    },
  ]) {
    await meets();
    const one = await known();
    await comes(one);
    expect(await held()).not.toContain(one.content);
    expect(await seen(alma, one.content)).not.toEqual([]);
  }
});

test("without the setting nothing waits; what nobody decides about goes after 90 days", async () => {
  await meets();
  const one = note();
  await comes(one);
  world.hub.advance(91 * days);
  await trimFirstContacts(world.hub);
  expect(await world.hub.db.selectFrom("first_contact").select("id").execute()).toEqual([]);
  await member.logIn("alma", password);
  await member.get("/settings/posts");
  expect((await member.post("/settings/posts", { moderate: "0", quoters: "everybody", new_for: "366" })).status).toBe(
    422,
  );
  expect((await member.post("/settings/posts", { moderate: "0", quoters: "everybody", new_for: "0" })).status).toBe(
    303,
  );
  await meets();
  const other = note();
  await comes(other);
  expect(await seen(alma, other.content)).toContain("/api/statuses/mentions");
});
