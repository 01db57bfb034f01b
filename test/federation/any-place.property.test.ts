import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import type { RoleName } from "../../src/domain/identity/channels/roles.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import { inhabitant, met, openHubs } from "../support/hubs.ts";
import type { Inhabitant, Neighbour, TestHubs } from "../support/hubs.ts";
import { size } from "../support/size.ts";

/**
 * Identities are independent of place: the same people do the same, once all on one hub and once on three, and have the same posts,
 * reactions, messages and notices in the end.
 */

const nicks = "abcde";
const nobody = nicks.length;

type Deed =
  | { do: "connect" | "disconnect" | "block" | "unblock" | "message"; who: number; whom: number }
  | { do: "group"; who: number; members: number[] }
  | { do: "post"; who: number; for: "everybody" | "contacts" | "people" | "group"; people: number[]; mention: number }
  | { do: (typeof abouts)[number]; who: number; pick: number; mention: number };

/** What is done about something that is there. */
const reactions = ["like", "unlike", "dislike", "undislike"] as const;
const abouts = ["comment", ...reactions, "share", "unshare", "edit", "delete", "answer"] as const;

const person = fc.nat(nicks.length - 1);
const some = fc.uniqueArray(person, { minLength: 1, maxLength: 3 });
const mention = fc.oneof({ weight: 3, arbitrary: fc.constant(nobody) }, { weight: 1, arbitrary: person });
const connecting = fc.record({ do: fc.constant("connect" as const), who: person, whom: person });
const grouping = fc.record({ do: fc.constant("group" as const), who: person, members: some });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("disconnect" as const, "block" as const, "unblock" as const, "message" as const),
      who: person,
      whom: person,
    }),
  },
  { weight: 1, arbitrary: grouping },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("post" as const),
      who: person,
      for: fc.constantFrom("everybody" as const, "contacts" as const, "people" as const, "group" as const),
      people: some,
      mention,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom(...abouts, "comment" as const),
      who: person,
      pick: fc.nat(1000),
      mention,
    }),
  },
);
/** People are connected before anything is said: of what was said before, other hubs fetch the posts alone. */
const stories = fc
  .tuple(
    fc.array(connecting, { minLength: 4, maxLength: 6 }),
    fc.array(grouping, { minLength: 1, maxLength: 2 }),
    fc.array(deed, { minLength: 8, maxLength: 25 }),
  )
  .map((parts): Deed[] => parts.flat());
const forEach = { minLength: nicks.length, maxLength: nicks.length };
const places = fc.array(fc.nat(2), forEach);
/** Some let everybody in who asks; the others are asked back. */
const roles = fc.array(fc.constantFrom<RoleName>("feed", "social"), forEach);

let world: TestHubs;
let round = 0;

beforeAll(async () => {
  world = await openHubs(4);
});
afterAll(() => world.close());

/** The same people somewhere; what each has made is known by names that are the same everywhere. */
type Side = { people: Inhabitant[]; groups: Map<number, number> };

async function settleAt(homes: readonly Neighbour[], all: readonly RoleName[]): Promise<Side> {
  const people: Inhabitant[] = [];
  for (const [n, home] of homes.entries()) people.push(await inhabitant(home, `${nicks[n]}${round}`, all[n]));
  for (const one of people) for (const other of people) if (one.at !== other.at) await met(one.at, other.at, other);
  return { people, groups: new Map() };
}

/** A row of somebody's, by what it says and not by where it is. */
type Row = { id: number; name: string; author: string; says: string; isPrivate: boolean };

async function rowsOf({ at, channel }: Inhabitant): Promise<Row[]> {
  const rows = await at.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("xchan as author", "author.xchan_id", "item.author_id")
    .innerJoin("xchan as owner", "owner.xchan_id", "item.owner_id")
    .select(["item.id", "mid", "body", "verb", "thr_parent", "item_private"])
    .select(["author.xchan_name as author", "owner.xchan_name as owner"])
    .where("item.uid", "=", channel.channel_id)
    .where("item_deleted", "=", 0)
    .where("item_hidden", "=", 0)
    .where(({ not, exists, selectFrom }) =>
      // What is hidden from somebody may be there or not.
      not(
        exists(
          selectFrom("abook")
            .select("abook_id")
            .whereRef("abook_channel", "=", "item.uid")
            .whereRef("abook_xchan", "=", "author.xchan_hash")
            .where("abook_blocked", "=", 1),
        ),
      ),
    )
    .execute();
  const names = new Map(rows.map(({ mid, body }) => [mid, /\bp\d+/.exec(body)?.[0] ?? ""]));
  return rows.map(({ id, mid, body, verb, thr_parent, item_private, ...people }) => {
    const [author, owner] = [nickOf(people.author), nickOf(people.owner)];
    const deed = body.startsWith("[share") ? "share" : verb.slice(verb.lastIndexOf("/") + 1);
    const text = /p\d+ v\d+/.exec(body)?.[0] ?? "";
    const says = `${author}'s ${deed} below ${names.get(thr_parent) || "what is not there"} in ${owner}'s thread: ${text}`;
    const name = deed === "post" ? names.get(mid)! : "";
    return { id, name, author, says: item_private === 0 ? says : `${says} (private)`, isPrivate: item_private !== 0 };
  });
}

type Letter = { id: number; name: string; says: string };

async function lettersOf({ at, channel }: Inhabitant): Promise<Letter[]> {
  const rows = await at.hub.db
    .selectFrom("mail")
    .innerJoin("xchan as sender", "sender.xchan_hash", "mail.from_xchan")
    .innerJoin("xchan as reader", "reader.xchan_hash", "mail.to_xchan")
    .select(["mail.id", "mid", "parent_mid", "body", "sender.xchan_name as from", "reader.xchan_name as to"])
    .where("channel_id", "=", channel.channel_id)
    .execute();
  const names = new Map(rows.map(({ mid, body }) => [mid, body]));
  return rows.map(({ id, body, from, to, parent_mid }) => ({
    id,
    name: body,
    says: `${nickOf(from)}'s message to ${nickOf(to)} below ${names.get(parent_mid) ?? "what is not there"}: ${body}`,
  }));
}

/** Being mentioned in an answer and being answered are one: others mention whom they answer. */
async function noticesOf({ at, channel }: Inhabitant): Promise<string[]> {
  const notices = await listNotices(at.hub, channel.channel_id);
  return notices.flatMap((notice) => {
    if (notice.kind === "worded" || ["confirmed", "follower", "request"].includes(notice.kind)) return [];
    return [`${notice.kind === "mention" ? "comment" : notice.kind} by ${nickOf(notice.actor.name)}`];
  });
}

const nickOf = (name: string): string => name[0]!.toLowerCase();

/** Does it, and answers the status; undefined where there is nothing to do. `named`: what it is about. */
async function act({ people, groups }: Side, deed: Deed, step: number, named: string): Promise<number | undefined> {
  const one = people[deed.who]!;
  const hashOf = (n: number) => (people[n]!.at === one.at ? people[n]!.channel.channel_hash : people[n]!.id);
  // A mention in what is for some goes along to a hub that gets it anyway, and lets nobody in here.
  const saying = (name: string, n: number, isPublic: boolean) =>
    n === nobody || !isPublic ? `${name} v${step}` : `${name} v${step} @${people[n]!.nick}@${people[n]!.at.host}`;
  const send = async (who: Inhabitant, path: string, form: object) => (await who.post(path, { ...form })).status;
  const row = named === "" ? undefined : (await rowsOf(one)).find(({ name }) => name === named);
  const about = async (path: string, form: (row: Row) => object = ({ id }) => ({ id })) =>
    row === undefined ? undefined : send(one, path, form(row));
  const connectedOf = async (whom: readonly number[]) => {
    const hashes = whom.filter((n) => n !== deed.who).map(hashOf);
    const all = (await one.get("/api/z/1.0/abook")).json as { abook_id: string; abook_xchan: string }[];
    return all.filter(({ abook_xchan }) => hashes.includes(abook_xchan));
  };
  switch (deed.do) {
    case "connect":
    case "disconnect":
    case "block":
    case "unblock": {
      const other = people[deed.whom]!;
      if (one === other) return undefined;
      const idFor = async (who: Inhabitant, hash: string) => (await findXchan(who.at.hub, { hash }))!.xchan_id;
      const there = { user_id: await idFor(one, hashOf(deed.whom)) };
      const back = {
        user_id: await idFor(other, other.at === one.at ? one.channel.channel_hash : one.id),
      };
      if (deed.do === "block") return send(one, "/api/blocks/create", there);
      if (deed.do === "unblock") return send(one, "/api/blocks/destroy", there);
      const path = `/api/friendships/${deed.do === "connect" ? "create" : "destroy"}`;
      const status = await send(one, path, there);
      await world.settle();
      await send(other, path, back);
      return status;
    }
    case "group": {
      const user = (await connectedOf(deed.members)).map(({ abook_id }) => ({ cid: abook_id }));
      const gid = groups.get(deed.who) ?? 0;
      const form = { name: "Some", gid, json: JSON.stringify({ name: "Some", gid, user }) };
      const { status, json } = await one.post(
        `/api/friendica/group_${gid === 0 ? "create" : "update"}?gid=${gid}`,
        form,
      );
      if (gid === 0) groups.set(deed.who, json.gid);
      return status;
    }
    case "post": {
      const body = saying(`p${step}`, deed.mention, deed.for === "everybody");
      const others = (await connectedOf(deed.people)).map(({ abook_xchan }) => abook_xchan);
      if ((deed.for === "people" && others.length === 0) || (deed.for === "group" && !groups.has(deed.who)))
        return undefined;
      const audience = {
        everybody: {},
        contacts: { public_policy: "contacts" },
        people: { contact_allow: others },
        group: { group_allow: [groups.get(deed.who)] },
      };
      return send(one, "/api/z/1.0/item/update", { body, ...audience[deed.for] });
    }
    case "message": {
      if ((await connectedOf([deed.whom])).length === 0) return undefined;
      const { xchan_id } = (await findXchan(one.at.hub, { hash: hashOf(deed.whom) }))!;
      return send(one, "/api/direct_messages/new", { user_id: xchan_id, text: `m${step}` });
    }
    case "answer": {
      const letter = (await lettersOf(one)).find(({ name }) => name === named);
      return letter && send(one, "/api/direct_messages/new", { replyto: letter.id, text: `m${step}` });
    }
    case "comment":
      return about("/api/z/1.0/item/update", ({ id, isPrivate }) => ({
        body: saying(`p${step}`, deed.mention, !isPrivate),
        parent: id,
      }));
    case "edit":
      return about("/api/z/1.0/item/update", ({ id, isPrivate }) => ({
        body: saying(named, deed.mention, !isPrivate),
        post_id: id,
      }));
    case "like":
    case "unlike":
    case "dislike":
    case "undislike":
      return about(`/api/svc/activity/${deed.do}.json`);
    case "unshare":
      return about("/api/statuses/unretweet");
    case "share":
      return about("/api/statuses/retweet");
    case "delete":
      break;
  }
  return about("/api/statuses/destroy");
}

/** What a deed is about, as those who are together have it. */
async function chosen({ people }: Side, deed: Deed): Promise<string> {
  if (!("pick" in deed)) return "";
  if (deed.do === "answer") {
    const letters = await lettersOf(people[deed.who]!);
    return letters.length === 0 ? "" : letters[deed.pick % letters.length]!.name;
  }
  const rows = (await rowsOf(people[deed.who]!)).filter(({ name }) => name !== "");
  const own = rows.filter(({ author }) => author === nicks[deed.who]);
  const among = deed.do === "edit" || deed.do === "delete" ? own : rows;
  return among.length === 0 ? "" : among[deed.pick % among.length]!.name;
}

/** What one side has and the other has not. */
function missing(those: readonly string[], these: readonly string[]): string[] {
  return those.filter((one) => !these.includes(one));
}

/**
 * What somebody has on one side alone. From other hubs people get public threads of strangers in which somebody writes with whom they
 * are connected, as everywhere in the fediverse; here only when they have the thread (decision 171).
 */
async function differences(together: Inhabitant, apart: Inhabitant): Promise<string[]> {
  const [here, there] = [await rowsOf(together), await rowsOf(apart)];
  const sayings = (rows: readonly { says: string }[]) => rows.map(({ says }) => says);
  const [noticesHere, noticesThere] = [await noticesOf(together), await noticesOf(apart)];
  const [lettersHere, lettersThere] = [await lettersOf(together), await lettersOf(apart)];
  const privately = there.filter(({ isPrivate }) => isPrivate);
  return [
    ...missing(sayings(lettersHere), sayings(lettersThere)).map((says) => `not apart: ${says}`),
    ...missing(sayings(lettersThere), sayings(lettersHere)).map((says) => `not together: ${says}`),
    ...missing(sayings(here), sayings(there)).map((says) => `not apart: ${says}`),
    ...missing(sayings(privately), sayings(here)).map((says) => `not together: ${says}`),
    ...missing(noticesHere, noticesThere).map((told) => `not told apart: ${told}`),
  ];
}

test("people have the same wherever they are", { timeout: 3_600_000 }, async () => {
  const sides = fc.asyncProperty(stories, places, roles, async (story, homes, all) => {
    round += 1;
    const [together, apart] = [
      await settleAt(
        homes.map(() => world.hubs[0]!),
        all,
      ),
      await settleAt(
        homes.map((n) => world.hubs[1 + n]!),
        all,
      ),
    ];
    const told: string[] = [];
    const parted = new Set<number>();
    for (const [step, deed] of story.entries()) {
      world.advance(5);
      const named = await chosen(together, deed);
      const statuses = [await act(together, deed, step, named), await act(apart, deed, step, named)];
      await world.settle();
      told.push(`${step}: ${JSON.stringify(deed)} ${named} ${statuses.join(" and ")}`);
      if (deed.do === "block") parted.add(deed.whom);
      if (deed.do === "disconnect") parted.add(deed.who).add(deed.whom);
      // Who may not, or is blocked, does not learn that elsewhere: what they say is refused there, and stands before them alone.
      const mayBeRefused = parted.has(deed.who) || all.includes("social");
      if ([400, 403].includes(statuses[0] ?? 0) && statuses[1] === 200 && mayBeRefused) return;
      const found = statuses[0] === statuses[1] ? [] : ["other answers"];
      for (const [n, one] of together.people.entries())
        found.push(...(await differences(one, apart.people[n]!)).map((what) => `${nicks[n]}, ${what}`));
      if (found.length > 0)
        throw new Error([`at home: ${homes.join(" ")}, ${all.join(" ")}`, ...told, ...found].join("\n"));
    }
  });
  await fc.assert(sides, { numRuns: size(3, 12), endOnFailure: true });
});
