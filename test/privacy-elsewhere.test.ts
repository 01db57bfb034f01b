import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  block,
  connect,
  receiveAccept,
  receiveFollow,
  updateConnection,
} from "../src/domain/connections/connections.ts";
import { createGuest } from "../src/domain/connections/guests.ts";
import { siteChannelId } from "../src/domain/identity/channels/site-actor.ts";
import { setPermissionLimits } from "../src/domain/identity/channels/permission-limits.ts";
import { limits } from "../src/domain/identity/channels/roles.ts";
import type { Xchan } from "../src/domain/identity/xchans/xchans.ts";
import { lookUpStayed } from "../src/domain/import/lists/brought-along.ts";
import { approve } from "../src/domain/items/approvals.ts";
import { findOwnItem } from "../src/domain/items/find.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import type { Item } from "../src/domain/items/types.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { removeSiteBlock, setSiteBlock } from "../src/domain/peers/site-blocks.ts";
import { proxied } from "../src/domain/proxy/addresses.ts";
import { pages as allPages } from "../src/faces/web/pages/table.ts";
import { inTransaction } from "../src/hub.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Answer } from "./support/client.ts";
import { comparable, doors, listsOf, native, pages } from "./support/doors.ts";
import type { Names } from "./support/doors.ts";
import { put } from "./support/files.ts";
import { password } from "./support/hub.ts";
import { arrivesIn } from "./support/incoming.ts";
import { mastodonPerson } from "./support/mastodon.ts";
import { befriend, connectionId } from "./support/people.ts";
import { picture } from "./support/pictures.ts";
import { readsAs } from "./support/reads-as.ts";
import { keys, now, pemOf } from "./support/signed-requests.ts";
import { visitorOf, withoutTokens } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/**
 * What people of other hubs write for some is seen by those who got it, and what is written here for some of them by those who
 * sign for themselves: to everybody else it is what does not exist, at every door.
 */

const secret = "marmalade recipe of Carla";
const whispered = "marmalade for Alice alone";
const unlisted = "marmalade in no list";
const pictured = "https://far.example/pictures/marmalade.jpg";
const elsewhere = "https://cdn.example/pictures/marmalade.jpg";
const posted = "https://far.example/pictures/jar.jpg";

let world: TestApp;
let alice: Person;
let ines: Person;
let bob: Person;
let carla: Xchan;
/** Of Carla, for her followers: a post with an answer, and what Alice answered. */
let secrets: Item[];
let members: Record<string, { person: Person; visitor: Visitor }>;
let guest: Visitor;
let mail: number;
/** What has been asked for elsewhere. */
const asked: string[] = [];

const everybody = "https://www.w3.org/ns/activitystreams#Public";
const never: Names = {
  id: 987_654_321,
  mid: "https://far.example/notes/00000000",
  uuid: "00000000-0000-4000-8000-000000000000",
};
const namesOf = ({ id, mid, uuid }: Item): Names => ({ id, mid, uuid });
const idOf = ({ nick }: Person): string => `http://hub.example/channel/${nick}`;

/** Somebody elsewhere whose requests these tests can sign. */
async function meet(nick: string, more: object = {}, host = "far.example"): Promise<Xchan> {
  const id = `https://${host}/users/${nick}`;
  const key = { id: `${id}#main-key`, kind: "rsa" as const, key: pemOf(keys.ann.publicKey) };
  const actor = JSON.parse(JSON.stringify(actorOf(nick)).replaceAll("far.example", host));
  return meetActor(world.hub, { ...actor, keys: [key], ...more });
}

async function writes(id: string, more: object, readers = [alice, ines]): Promise<void> {
  const note = {
    id: `https://far.example/notes/${id}`,
    type: "Note",
    attributedTo: carla.xchan_hash,
    published: "2026-03-01T11:00:00Z",
    ...more,
  };
  const { to, cc } = note as { to?: string[]; cc?: string[] };
  await arrivesIn(world.hub)(
    { id: `${note.id}/create`, type: "Create", actor: carla.xchan_hash, object: note, to, cc },
    readers.map(({ channel }) => channel),
  );
}

const got = async ({ channel }: Person, mid: string): Promise<Item> =>
  (await findOwnItem(world.hub, channel.channel_id, { mid }))!;

async function browserOf({ nick }: Person): Promise<Visitor> {
  const visitor = visitorOf(world.app);
  await visitor.logIn(nick, password);
  return visitor;
}

beforeAll(async () => {
  const jpeg = new Uint8Array(await picture(30, 20).jpeg().toBuffer());
  world = await openTestApp({
    clock: now,
    fetch: (url, { inNameOf } = {}) => {
      asked.push(inNameOf === undefined ? url : `${url} as ${inNameOf.split(" ")[0]}`);
      if (url.endsWith("/locked.jpg"))
        return Promise.resolve(inNameOf ? new Response(jpeg) : new Response("", { status: 401 }));
      const isPicture = [pictured, elsewhere, posted].includes(url);
      return Promise.resolve(isPicture ? new Response(jpeg) : new Response("", { status: 503 }));
    },
  });
  const { hub } = world;
  [alice, ines, bob] = [await world.person("alice"), await world.person("ines"), await world.person("bob")];
  const [dora, zoe] = [await world.person("dora"), await world.person("zoe")];
  for (const friend of [ines, bob, dora]) await befriend(hub, alice.channel, friend.channel);
  carla = await meet("carla");
  for (const reader of [alice, ines]) {
    await connect(hub, reader.channel, carla);
    await receiveAccept(hub, reader.channel, carla);
  }
  const followers = `${carla.xchan_hash}/followers`;
  const tag = [{ type: "Hashtag", name: "#preserves", href: "https://far.example/tags/preserves" }];
  const image = `<p><img src="${pictured}" alt=""></p><p><img src="${elsewhere}" alt=""></p>`;
  await writes("top", { to: [followers], content: `<p>${secret} #preserves</p>${image}`, tag });
  const top = "https://far.example/notes/top";
  await writes("answer", { to: [followers], content: `<p>${secret} indeed</p>`, inReplyTo: top });
  const mention = { type: "Mention", href: idOf(alice), name: "@alice@hub.example" };
  await writes(
    "mail",
    { to: [idOf(alice)], content: `<p>${whispered}</p><p><img src="${posted}" alt=""></p>`, tag: [mention] },
    [alice],
  );
  await writes("unlisted", { to: [followers], cc: [everybody], content: `<p>${unlisted} #preserves</p>`, tag });
  const answered = await postItem(hub, alice.channel, { body: `${secret} thanks`, parent: { mid: top } });
  await world.work();
  secrets = [await got(alice, top), await got(alice, "https://far.example/notes/answer"), answered];
  await updateConnection(hub, alice.channel, await connectionId(hub, alice.channel, dora.channel), { blocked: true });
  members = {
    "a connection who does not follow her": { person: bob, visitor: await browserOf(bob) },
    "somebody blocked": { person: dora, visitor: await browserOf(dora) },
    "a stranger": { person: zoe, visitor: await browserOf(zoe) },
  };
  const { atoken_token } = await createGuest(hub, alice.channel, { name: "Gina" });
  guest = visitorOf(world.app);
  await guest.get(`/channel/alice?zat=${atoken_token}`);
  const row = await hub.db
    .selectFrom("mail")
    .select("id")
    .where("channel_id", "=", alice.channel.channel_id)
    .executeTakeFirstOrThrow();
  mail = row.id;
});
afterAll(() => world?.close());

const lists = listsOf(() => carla.xchan_hash);
const outsiders = ["a connection who does not follow her", "somebody blocked", "a stranger"];

type Path = [name: string, path: (names: Names) => string];
const memberPages: Path[] = [
  ["the page of the thread", ({ uuid }) => `/display/${uuid}`],
  ["its permanent address", ({ uuid }) => `/item/${uuid}`],
  ["its deliveries", ({ uuid }) => `/item/${uuid}/deliveries`],
  ["who may quote it", ({ uuid }) => `/item/${uuid}/quotations`],
  ["the form that reports it", ({ id }) => `/report?item=${id}`],
  ["the page that a program may link to", ({ mid }) => `/channel/alice?mid=${encodeURIComponent(mid)}`],
];
const memberLists: [string, () => string][] = [
  ["the page of Carla", () => `/person/${carla.xchan_id}`],
  ["their stream", () => "/network"],
  ["the channel page", () => "/channel/alice"],
  ["the feed", () => "/feed/alice"],
  ["the search", () => "/search?search=marmalade"],
  ["the page of a tag", () => "/search?tag=preserves"],
  ["the mail", () => "/mail"],
];

/** The same for every request, and as it came. */
function plain({ status, text }: { status: number; text: string }, names: Names): { status: number; text: string } {
  const without = withoutTokens(text)
    .replaceAll(/\/photo\/profile\/s\/[^"]*/g, "")
    .replaceAll(encodeURIComponent(encodeURIComponent(names.mid)), "<mid>")
    .replaceAll(encodeURIComponent(names.mid), "<mid>")
    .replaceAll(names.mid, "<mid>")
    .replaceAll(names.uuid, "<uuid>")
    .replaceAll(new RegExp(`(?<=item(?:=|%3D))${names.id}\\b`, "g"), "<id>")
    .replaceAll(/[0-9a-f]{10}-[0-9a-z]+/g, "<request>");
  return { status, text: without };
}

describe.each(outsiders)("what Carla wrote for her followers and %s", (who) => {
  test.each([
    ...doors,
    ["native item/deliveries", (client, { id }) => client.get(`${native}/item/deliveries`, { item_id: id })],
  ] as typeof doors)("is not found at %s", async (_name, open) => {
    const { person } = members[who]!;
    const expected = comparable(await open(person, never), never);
    for (const item of secrets) {
      const answer = await open(person, namesOf(item));
      expect(comparable(answer, namesOf(item))).toEqual(expected);
      expect(answer.text).not.toContain("marmalade");
    }
  });

  test.each(memberPages)("is not shown at %s", async (_name, path) => {
    const { visitor } = members[who]!;
    for (const item of secrets) {
      const names = namesOf(item);
      const [answer, unknown] = [await visitor.get(path(names)), await visitor.get(path(never))];
      expect(plain(answer, names)).toEqual(plain(unknown, never));
      expect(answer.text).not.toContain("marmalade");
    }
  });

  test.each(lists)("is not in %s", async (_name, open) => {
    const { text } = await open(members[who]!.person, never);
    for (const word of [secret, whispered, ...secrets.map(({ uuid }) => uuid)]) expect(text).not.toContain(word);
  });

  test.each(memberLists)("is not on %s", async (_name, path) => {
    const { text } = await members[who]!.visitor.get(path());
    for (const word of [secret, whispered, ...secrets.map(({ uuid }) => uuid)]) expect(text).not.toContain(word);
  });

  test("is reported by nobody who does not see it", async () => {
    const { visitor } = members[who]!;
    await visitor.get("/search");
    const [real, unknown] = [
      await visitor.post(`/report?item=${secrets[0]!.id}`, { comment: "x" }),
      await visitor.post(`/report?item=${never.id}`, { comment: "x" }),
    ];
    expect(plain(real, namesOf(secrets[0]!))).toEqual(plain(unknown, never));
    expect(await world.hub.db.selectFrom("report").select("id").execute()).toEqual([]);
  });
});

describe("what Carla wrote for her followers and nobody", () => {
  test.each(pages)("is not found at %s", async (_name, open) => {
    for (const item of secrets) {
      const answer = await open(world.anonymous, namesOf(item));
      expect(comparable(answer, namesOf(item))).toEqual(comparable(await open(world.anonymous, never), never));
    }
  });

  test.each([...memberPages, ...memberLists])("is not shown at %s", async (_name, path) => {
    for (const visitor of [visitorOf(world.app), guest])
      for (const item of secrets) {
        const names = namesOf(item);
        const [answer, unknown] = [await visitor.get(path(names)), await visitor.get(path(never))];
        expect(plain(answer, names)).toEqual(plain(unknown, never));
        expect(answer.text).not.toMatch(/marmalade (?:recipe|for)/);
      }
  });

  test.each(lists)("is not in %s", async (_name, open) => {
    const { text } = await open(world.anonymous, never);
    for (const word of [secret, whispered, ...secrets.map(({ uuid }) => uuid)]) expect(text).not.toContain(word);
  });
});

test("those who got it read it", async () => {
  for (const reader of [alice, ines]) {
    const { mid } = secrets[0]!;
    const { uuid } = await got(reader, mid);
    expect((await reader.get(`${native}/item/full`, { mid })).text).toContain(secret);
    expect((await reader.get("/api/statuses/home_timeline", { count: 50 })).text).toContain(secret);
    const visitor = await browserOf(reader);
    expect((await visitor.get(`/display/${uuid}`)).text).toContain(secret);
    expect((await visitor.get(`/person/${carla.xchan_id}`)).text).toContain(secret);
  }
});

describe("what Nora wrote for everybody, and this hub keeps for people who did not get it", () => {
  const [open, closed] = ["quince for every garden", "quince for followers alone"];
  let kept: Item;
  let answer: Item;

  beforeAll(async () => {
    const { hub } = world;
    const [mila, nora] = [await world.person("mila"), await meet("nora")];
    await setPermissionLimits(hub, mila.channel.channel_id, { view_stream: limits.contacts });
    await connect(hub, mila.channel, nora);
    await receiveAccept(hub, mila.channel, nora);
    const followers = `${nora.xchan_hash}/followers`;
    const [top, below] = ["https://far.example/notes/open", "https://far.example/notes/closed"];
    for (const more of [
      { id: top, to: [everybody], cc: [followers], content: `<p>${open}</p>` },
      { id: below, to: [followers], cc: [], content: `<p>${closed}</p>`, inReplyTo: top },
    ]) {
      const object = { type: "Note", attributedTo: nora.xchan_hash, published: "2026-03-01T11:00:00Z", ...more };
      const { to, cc } = more;
      await arrivesIn(hub)({ id: `${more.id}/create`, type: "Create", actor: nora.xchan_hash, object, to, cc });
    }
    await world.work();
    kept = (await findOwnItem(hub, await siteChannelId(hub), { mid: top }))!;
    answer = await got(mila, below);
  });

  test("is for people of this hub", async () => {
    for (const who of outsiders) {
      const { person, visitor } = members[who]!;
      expect((await person.get("/api/statuses/networkpublic_timeline")).text).toContain(open);
      expect((await visitor.get(`/display/${kept.uuid}`)).text).toContain(open);
    }
  });

  test.each(doors.filter(([name]) => !/conversation|destroy|update|like|favorites/.test(name)))(
    "has no answer for fewer people at %s",
    async (_name, door) => {
      for (const who of outsiders) {
        const { person } = members[who]!;
        const found = await door(person, namesOf(answer));
        expect(comparable(found, namesOf(answer))).toEqual(comparable(await door(person, never), never));
        expect((await door(person, namesOf(kept))).text).not.toContain(closed);
      }
    },
  );

  test.each([...pages, ...lists])("is nothing to nobody, to a guest and to another hub at %s", async (_name, door) => {
    const signed = {
      ...world.anonymous,
      get: (path: string) => readsAs(world.anonymous, path, "https://third.example/users/tom"),
    };
    for (const client of [world.anonymous, signed]) {
      const { text } = await door(client, namesOf(kept));
      for (const words of [open, closed]) expect(text).not.toContain(words);
    }
  });

  test.each([...memberPages, ...memberLists])("is not shown to nobody and a guest at %s", async (_name, path) => {
    for (const visitor of [visitorOf(world.app), guest]) {
      const { text } = await visitor.get(path(namesOf(kept)));
      for (const words of [open, closed]) expect(text).not.toContain(words);
    }
  });
});

describe("a message that Carla sent to Alice", () => {
  test("is read by Alice", async () => {
    expect((await alice.get("/api/direct_messages")).text).toContain(whispered);
    expect((await (await browserOf(alice)).get(`/mail/${mail}`)).text).toContain(whispered);
  });

  test("is nothing to everybody else, whoever else reads what Carla writes", async () => {
    for (const { person, visitor } of [
      ...Object.values(members),
      { person: ines, visitor: await browserOf(ines) },
      { person: world.anonymous, visitor: visitorOf(world.app) },
      { person: world.anonymous, visitor: guest },
    ]) {
      for (const path of ["/api/direct_messages", "/api/direct_messages/sent", "/api/direct_messages/all"])
        expect((await person.get(path)).text).not.toContain("marmalade for");
      expect((await visitor.get("/mail")).text).not.toContain("marmalade for");
      const [real, unknown] = [await visitor.get(`/mail/${mail}`), await visitor.get(`/mail/${never.id}`)];
      const pathless = ({ status, text }: { status: number; text: string }, id: number) =>
        plain({ status, text: text.replaceAll(new RegExp(`(?<=mail(?:/|%2F))${id}\\b`, "g"), "<mail>") }, never);
      expect(pathless(real, mail)).toEqual(pathless(unknown, never.id));
    }
    expect(
      await findOwnItem(world.hub, ines.channel.channel_id, { mid: "https://far.example/notes/mail" }),
    ).toBeUndefined();
  });
});

describe("the pictures in what Carla wrote for some", () => {
  const top = "https://far.example/notes/top";
  const whisper = "https://far.example/notes/mail";
  const pathOf = (url: string, about: Parameters<typeof proxied>[2]): string =>
    proxied(world.hub, url, about).slice("http://hub.example".length);
  const inPost = (url = pictured, shownIn = top): string => pathOf(url, { keeping: "private", shownIn });
  const inMail = (): string => inPost(posted, `${alice.channel.channel_id} ${whisper}`);
  const encoded = Buffer.from(pictured).toString("base64url");
  const unsigned = "A".repeat(43);
  const everyone = (): Visitor[] => [visitorOf(world.app), guest, ...Object.values(members).map((one) => one.visitor)];
  /** Nothing at all: an address that the hub has not signed, of what it has never seen. */
  const nothing = `/proxy/item/${Buffer.from(never.mid).toString("base64url")}/${unsigned}/${encoded}`;

  async function isLikeNothing(visitor: Visitor, path: string): Promise<void> {
    const [real, unknown] = [await visitor.get(path), await visitor.get(nothing)];
    const withoutPath = (answer: { status: number; text: string }, own: string) =>
      plain(
        { ...answer, text: answer.text.replaceAll(own, "<path>").replaceAll(encodeURIComponent(own), "<path>") },
        never,
      );
    expect(withoutPath(real, path)).toEqual(withoutPath(unknown, nothing));
    expect(real.status).toBe(404);
    expect(real.headers.get("cache-control")).toBe(unknown.headers.get("cache-control"));
  }

  test("have addresses that only those learn who got it", async () => {
    const { uuid } = await got(ines, top);
    const page = (await (await browserOf(ines)).get(`/display/${uuid}`)).text;
    for (const path of [inPost(), inPost(elsewhere)]) expect(page).toContain(path);
    for (const { person, visitor } of Object.values(members)) {
      for (const [, path] of memberLists) expect((await visitor.get(path())).text).not.toContain(encoded);
      for (const [, path] of memberPages)
        expect((await visitor.get(path({ ...never, uuid }))).text).not.toContain(encoded);
      for (const [, open] of lists) expect((await open(person, never)).text).not.toContain(encoded);
    }
  });

  test("are fetched for those who got it, and shown to nobody else who has their addresses, before and afterwards", async () => {
    const forReaders = (): [Person, string[]][] => [
      [alice, [inPost(), inPost(elsewhere), inMail()]],
      [ines, [inPost(), inPost(elsewhere)]],
    ];
    for (const _ of ["before", "afterwards"]) {
      asked.length = 0;
      for (const visitor of everyone())
        for (const path of [inPost(), inPost(elsewhere), inMail()]) await isLikeNothing(visitor, path);
      await isLikeNothing(await browserOf(ines), inMail());
      expect(asked).toEqual([]);
      for (const [reader, paths] of forReaders())
        for (const path of paths) {
          const { status, headers } = await (await browserOf(reader)).get(path);
          expect([path, status, headers.get("cache-control")]).toEqual([path, 200, "private, max-age=86400"]);
        }
    }
  });

  test("are not there at addresses that the hub has not made", async () => {
    asked.length = 0;
    const [, , , item, signature, address] = inPost().split("/");
    const other = Buffer.from("https://far.example/notes/answer").toString("base64url");
    const forged = [
      `/proxy/item/${item}/${unsigned}/${address}`,
      `/proxy/item/${other}/${signature}/${address}`,
      `/proxy/item/${item}/${signature}/${Buffer.from(posted).toString("base64url")}`,
      `/proxy/${signature}/${address}`,
    ];
    for (const visitor of [...everyone(), await browserOf(alice)])
      for (const path of forged) await isLikeNothing(visitor, path);
    expect(asked).toEqual([]);
  });

  test("are not shown in anything that an import brought under the name of what shows them", async () => {
    const mid = "https://far.example/notes/brought";
    await writes("brought", { to: [idOf(ines)], cc: [`${carla.xchan_hash}/followers`], content: "<p>Hm</p>" }, [ines]);
    const path = inPost(pictured, mid);
    expect((await (await browserOf(ines)).get(path)).status).toBe(200);
    await world.hub.db.updateTable("message").set({ item_verified: 0 }).where("mid", "=", mid).execute();
    await isLikeNothing(await browserOf(ines), path);
  });

  test("are asked for in the name of who has got them, at the site of the text alone", async () => {
    const [there, other] = ["https://far.example/locked.jpg", "https://cdn.example/locked.jpg"];
    const reader = await browserOf(ines);
    asked.length = 0;
    expect((await reader.get(inPost(there))).status).toBe(200);
    expect((await reader.get(inPost(other))).status).toBe(502);
    expect(asked).toEqual([there, `${there} as ${idOf(ines)}`, other]);
  });

  test("are shown by applications in the name of those who got it", async () => {
    const app = await mastodonPerson(world, ines.channel);
    const { id } = await got(ines, top);
    const { json } = await app.get(`/api/v1/statuses/${id}`);
    const urls = json.media_attachments.map(({ url }: { url: string }) => new URL(url));
    expect(urls.map(({ pathname }: URL) => pathname)).toEqual([inPost(), inPost(elsewhere)]);
    const stranger = visitorOf(world.app);
    for (const { pathname, search } of urls) {
      expect((await stranger.get(pathname + search)).status).toBe(200);
      await isLikeNothing(stranger, pathname);
      await isLikeNothing(stranger, inMail() + search);
    }
  });

  test("whose addresses are of before they named a text are fetched anew for members, whatever copies there are", async () => {
    const old = pathOf(pictured, { keeping: "private" });
    asked.length = 0;
    for (const visitor of [visitorOf(world.app), guest]) await isLikeNothing(visitor, old);
    expect(asked).toEqual([]);
    for (const _ of [1, 2]) expect((await (await browserOf(ines)).get(old)).status).toBe(200);
    expect(asked).toEqual([pictured, pictured]);
  });

  test("are no sign that they were seen here, to whoever knows where they come from", async () => {
    asked.length = 0;
    for (const visitor of [visitorOf(world.app), guest])
      for (const keeping of ["cache", "proxy"] as const) await isLikeNothing(visitor, pathOf(pictured, { keeping }));
    expect(asked).toEqual([]);
  });

  test("are not there any more where the site has nothing to do with its hub", async () => {
    const readers = async (): Promise<Visitor[]> => [await browserOf(alice), await browserOf(ines)];
    await setSiteBlock(world.hub, { domain: "far.example", level: "suspend", noMedia: false });
    for (const visitor of [...everyone(), ...(await readers())]) await isLikeNothing(visitor, inPost());
    await removeSiteBlock(world.hub, "far.example");
    for (const visitor of await readers()) expect((await visitor.get(inPost())).status).toBe(200);
  });

  test("have no emoji beside them that anybody could have the hub fetch", async () => {
    asked.length = 0;
    for (const visitor of everyone()) await isLikeNothing(visitor, "/proxy/emoji/far.example/marmalade");
    expect(asked).toEqual([]);
  });

  test("go with what shows them", async () => {
    const mid = "https://far.example/notes/brief";
    const path = inPost(pictured, mid);
    const to = [idOf(ines), `${carla.xchan_hash}/followers`];
    await writes("brief", { to, content: "<p>Brief</p>" }, [ines]);
    expect((await (await browserOf(ines)).get(path)).status).toBe(200);
    const object = { id: mid, type: "Tombstone" };
    const actor = carla.xchan_hash;
    await arrivesIn(world.hub)({ id: `${mid}/delete`, type: "Delete", actor, to, object }, [ines.channel]);
    await isLikeNothing(await browserOf(ines), path);
  });
});

test("what is unlisted elsewhere is in no public list here", async () => {
  for (const path of ["/", "/search?search=marmalade", "/search?tag=preserves"])
    for (const visitor of [visitorOf(world.app), guest, members["a stranger"]!.visitor])
      expect([path, (await visitor.get(path)).text.includes(unlisted)]).toEqual([path, false]);
  for (const path of ["/api/statuses/public_timeline", "/api/statuses/networkpublic_timeline"])
    for (const client of [world.anonymous, members["a stranger"]!.person])
      expect([path, (await client.get(path)).text.includes(unlisted)]).toEqual([path, false]);
  expect((await alice.get("/api/statuses/home_timeline", { count: 50 })).text).toContain(unlisted);
});

test("the pages of administrators do not exist for others", async () => {
  const unknown = await members["a stranger"]!.visitor.get("/admin/nothing");
  const paths = allPages.filter(({ access, get, path }) => access === "administrator" && get && !path.includes(":"));
  expect(paths.length).toBeGreaterThan(10);
  for (const { path } of paths) {
    const answer = await members["a stranger"]!.visitor.get(path);
    const same = ({ status, text }: { status: number; text: string }) =>
      plain({ status, text: text.replaceAll(/\/admin(?:\/[\w.]+)?|admin%2F\w+/g, "<path>") }, never);
    expect([path, same(answer)]).toEqual([path, same(unknown)]);
    expect((await visitorOf(world.app).get(path)).text).not.toContain("far.example");
  }
});

test("hosts that somebody has blocked, lists that they brought, and where they are known elsewhere, are theirs alone", async () => {
  const own = await browserOf(ines);
  await own.get("/connections/hosts");
  await own.post("/connections/hosts", { host: "blocked.example", kind: "mute" });
  await own.get("/settings/import-lists");
  const list = new File(["blocked.example\n"], "blocked.example.csv");
  const { location } = await own.post("/settings/import-lists", { file: list, kind: "auto" });
  expect((await own.get(location)).text).toContain("blocked.example");
  // What comes with an export and not in a file.
  await inTransaction(world.hub, (hub) => lookUpStayed(hub, ines.channel, ["friend@blocked.example"]));
  const [, stayed = ""] =
    /href="([^"]*)">People of your former hub/.exec((await own.get("/settings/import-lists")).text) ?? [];
  expect((await own.get(stayed)).text).toContain("People of your former hub");
  await own.get("/settings/move");
  expect((await own.get("/connections/hosts")).text).toContain("blocked.example");
  for (const { visitor } of Object.values(members))
    for (const path of [
      "/connections/hosts",
      "/settings/move",
      "/settings/import-lists",
      location,
      stayed,
      "/channel/ines",
    ])
      expect((await visitor.get(path)).text).not.toMatch(/blocked\.example|People of your former hub/);
});

describe("what Alice wrote for some elsewhere", () => {
  let named: Item;
  let forFollowers: Item;
  /** Addresses of a picture and a text with the same readers. */
  let media: string[];
  let readers: Record<string, Xchan>;

  beforeAll(async () => {
    const { hub } = world;
    readers = {
      somebody: carla,
      "somebody of a hub with no recipient": await meet("erin", {}, "near.example"),
      "somebody else of a recipient's hub": await meet("dave"),
      "a whole server": await meet("server", { type: "Application" }),
      "somebody blocked": await meet("frank"),
      "somebody of a suspended hub": await meet("hugo", {}, "bad.example"),
    };
    for (const name of ["somebody", "a whole server", "somebody blocked", "somebody of a suspended hub"])
      await receiveFollow(hub, alice.channel, readers[name]!, `${readers[name]!.xchan_hash}/follow`);
    for (const name of ["somebody", "somebody blocked", "somebody of a suspended hub"])
      await connect(hub, alice.channel, readers[name]!);
    const audience = {
      allow_cid: Object.entries(readers).flatMap(([name, { xchan_hash }]) =>
        /hub with no|somebody else/.test(name) ? [] : [xchan_hash],
      ),
      allow_gid: [],
      deny_cid: [],
      deny_gid: [],
    };
    named = await postItem(hub, alice.channel, { body: secret, audience });
    forFollowers = await postItem(hub, alice.channel, { body: secret, publicPolicy: "contacts" });
    const image = await put(hub, alice.channel, "jars.png", await picture(1300, 900).png().toBuffer(), { audience });
    const text = await put(hub, alice.channel, "recipe.txt", secret, { audience });
    media = [`/photo/${image.hash}-1.png`, `/photo/${image.hash}`, `/attach/${image.hash}`, `/attach/${text.hash}`];
    await world.work();
    await block(hub, alice.channel, readers["somebody blocked"]!);
    await setSiteBlock(hub, { domain: "bad.example", level: "suspend", noMedia: false });
  });

  const paths = [
    "/item/*",
    "/activity/*",
    "/item/*/replies",
    "/item/*/likes",
    "/item/*/shares",
    "/conversation/*",
    "/conversation/*/history",
  ];

  const read = (path: string, { xchan_hash }: Xchan, accept?: string): Promise<Answer> =>
    readsAs(world.anonymous, path, xchan_hash, accept);

  test("is read by those for whom it is", async () => {
    for (const { uuid } of [named, forFollowers])
      for (const path of paths)
        expect([path, (await read(path.replace("*", uuid), carla)).status]).toEqual([path, 200]);
    expect((await read(`/item/${named.uuid}`, carla)).text).toContain(secret);
    const history = `/conversation/${named.uuid}/history`;
    expect((await read(`/item/${named.uuid}`, carla)).text).toContain(history);
    expect(JSON.parse((await read(history, carla)).text)).toMatchObject({
      attributedTo: expect.stringContaining("/channel/alice"),
      collectionOf: "Activity",
      totalItems: 0,
    });
    expect(JSON.parse((await read(`${history}?page=first`, carla)).text).orderedItems).toEqual([]);
  });

  test.each([
    "somebody of a hub with no recipient",
    "somebody else of a recipient's hub",
    "a whole server",
    "somebody blocked",
    "somebody of a suspended hub",
  ])("does not exist for %s", async (who) => {
    for (const { uuid } of [named, forFollowers, secrets[2]!])
      for (const path of paths) {
        const [real, unknown] = [
          await read(path.replace("*", uuid), readers[who]!),
          await read(path.replace("*", never.uuid), readers[who]!),
        ];
        expect([path, comparable(real, { ...never, uuid })]).toEqual([path, comparable(unknown, never)]);
        expect(real.status).toBe(who.includes("suspended") ? 403 : 404);
      }
    for (const path of ["/outbox/alice?page=first", "/featured/alice", "/channel/alice", "/followers/alice?page=first"])
      expect((await read(path, readers[who]!)).text).not.toMatch(
        new RegExp(`marmalade recipe|${named.uuid}|${forFollowers.uuid}|${secrets[2]!.uuid}`),
      );
  });

  test("has stamps for quotations that exist for those for whom it is, and for nobody else", async () => {
    for (const [n, { message_id }] of [named, forFollowers].entries()) {
      const stamp = {
        message_id,
        kind: "quote" as const,
        person_id: carla.xchan_id,
        quoting: `https://far.example/notes/quote/${n}`,
      };
      const path = `/approval/${(await approve(world.hub, stamp))!.uuid}`;
      const nothing = `/approval/${never.uuid}`;
      expect((await read(path, carla)).json).toMatchObject({ interactingObject: stamp.quoting });
      for (const [who, reader] of Object.entries(readers)) {
        if (reader === carla) continue;
        const [real, unknown] = [await read(path, reader), await read(nothing, reader)];
        expect([who, comparable(real, never)]).toEqual([who, comparable(unknown, never)]);
        expect([who, real.status]).toEqual([who, who.includes("suspended") ? 403 : 404]);
      }
      const accept = "application/activity+json";
      const [real, unknown] = await Promise.all(
        [path, nothing].map((one) => world.anonymous.get(one, {}, { headers: { accept } })),
      );
      expect(comparable(real!, never)).toEqual(comparable(unknown!, never));
    }
  });

  test("is asked for by follows that exist for whom they name, and for nobody else", async () => {
    const followOf = async ({ xchan_hash }: Xchan): Promise<string> => {
      const { follow_out_id } = await world.hub.db
        .selectFrom("abook")
        .select("follow_out_id")
        .where("abook_channel", "=", alice.channel.channel_id)
        .where("abook_xchan", "=", xchan_hash)
        .executeTakeFirstOrThrow();
      return follow_out_id;
    };
    const id = await followOf(carla);
    const path = new URL(id).pathname;
    const nothing = `/follow/${never.uuid}`;
    expect((await read(path, carla)).json).toEqual({
      "@context": "https://www.w3.org/ns/activitystreams",
      id,
      type: "Follow",
      actor: idOf(alice),
      to: [carla.xchan_hash],
      object: carla.xchan_hash,
    });
    for (const [who, reader] of Object.entries(readers)) {
      if (reader === carla) continue;
      const [real, unknown] = [await read(path, reader), await read(nothing, reader)];
      expect([who, comparable(real, never)]).toEqual([who, comparable(unknown, never)]);
      expect([who, real.status]).toEqual([who, who.includes("suspended") ? 403 : 404]);
    }
    for (const client of [world.anonymous, ines, bob]) {
      const [real, unknown] = [await client.get(path), await client.get(nothing)];
      expect([real.status, comparable(real, never)]).toEqual([404, comparable(unknown, never)]);
    }
    const frank = readers["somebody blocked"]!;
    const ofBlocked = new URL(await followOf(frank)).pathname;
    for (const reader of [frank, carla]) expect((await read(ofBlocked, reader)).status).toBe(404);
  });

  test("comes with its pictures, files and page for those for whom it is, and for nobody else", async () => {
    const open = [...media, ...[named, forFollowers].map(({ uuid }) => `/display/${uuid}`)];
    const unknown = ["/photo/" + "0".repeat(64), "/attach/" + "0".repeat(64), `/display/${never.uuid}`];
    for (const path of open) {
      const answer = await read(path, carla, "*/*");
      expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([
        path,
        200,
        expect.stringMatching(/private|no-store/),
      ]);
    }
    expect((await read(media.at(-1)!, carla, "*/*")).text).toBe(secret);
    for (const path of media) {
      const answer = await read(path, carla);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect([answer.json.attributedTo, answer.json.to]).toEqual([idOf(alice), undefined]);
    }
    for (const [who, reader] of Object.entries(readers))
      for (const path of reader === carla ? [] : open)
        for (const accept of ["*/*", "application/activity+json"]) {
          const { status, text } = await read(path, reader, accept);
          expect([who, path, status]).toEqual([who, path, who.includes("suspended") ? 403 : 404]);
          const without = await read(
            unknown.find((one) => one.startsWith(path.slice(0, 6)))!,
            reader,
            accept,
          );
          expect(plain({ status, text }, never)).toEqual(plain(without, never));
        }
    for (const path of open)
      for (const accept of ["*/*", "application/activity+json"]) {
        const { status } = await world.anonymous.get(path, {}, { headers: { accept } });
        expect([path, accept, status]).toEqual([path, accept, 404]);
      }
  });

  test("comes with its pictures for nobody who has only put a name on the request", async () => {
    for (const path of media) {
      const signature = `keyId="${carla.xchan_hash}#main-key",algorithm="rsa-sha256",headers="(request-target) host date",signature="AAAA"`;
      const headers = { Signature: signature, Date: now.toUTCString() };
      expect([path, (await world.anonymous.get(path, {}, { headers })).status]).toEqual([path, 404]);
    }
  });

  test("but in a thread of elsewhere it is read by the owner of that, and by those whom its top names", async () => {
    const gail = await meet("gail", {}, "near.example");
    const [frank, helen] = [readers["somebody blocked"]!, await meet("helen", {}, "near.example")];
    const mid = "https://far.example/notes/few";
    await writes("few", { to: [idOf(alice), gail.xchan_hash, frank.xchan_hash], content: `<p>${secret} for few</p>` });
    const said = await postItem(world.hub, alice.channel, { body: `${secret} for few`, parent: { mid } });
    await world.work();
    const statuses = async (item: Item, reader: Xchan) =>
      Promise.all(
        ["/item/*", "/activity/*"].map(async (path) => (await read(path.replace("*", item.uuid), reader)).status),
      );
    for (const reader of [carla, gail]) expect(await statuses(said, reader)).toEqual([200, 200]);
    // Who follows Carla is her own affair, and nobody else was named in what Alice answered first.
    expect(await statuses(secrets[2]!, carla)).toEqual([200, 200]);
    expect(await statuses(secrets[2]!, gail)).toEqual([404, 404]);
    for (const reader of [frank, helen, readers["a whole server"]!])
      expect(await statuses(said, reader)).toEqual([404, 404]);
    await block(world.hub, alice.channel, gail);
    expect(await statuses(said, gail)).toEqual([404, 404]);
    const { text } = await read(`/item/${said.uuid}`, carla);
    expect([text.includes(secret), text.includes("near.example"), text.includes("ines")]).toEqual([true, false, false]);
  });

  test("does not name others to those for whom it is", async () => {
    for (const path of ["/item/*", "/activity/*"]) {
      const { text } = await read(path.replace("*", named.uuid), carla);
      expect(text).not.toMatch(/bad\.example|users\/frank|users\/server/);
    }
  });
});
