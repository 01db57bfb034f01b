import fc from "fast-check";
import { roleNames } from "../../src/domain/identity/channels/roles.ts";
import type { RoleName } from "../../src/domain/identity/channels/roles.ts";
import { pollOf } from "../../src/domain/items/poll.ts";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import type { Inhabitant } from "./hubs.ts";
import { options } from "./story-doors.ts";
import type { StoryDoor } from "./story-doors.ts";

/** Stories of a few people who do something with each other, and what each of them has in the end. */

export const nicks = "abcde";
const nobody = nicks.length;

export type Deed =
  | { do: (typeof towards)[number] | "connect" | "message"; who: number; whom: number }
  | { do: "group"; who: number; members: number[] }
  | { do: "post" | "poll"; who: number; for: (typeof readers)[number]; people: number[]; mention: number }
  | { do: "answer"; who: number; pick: number; mention: number }
  | About;

type About = { do: (typeof abouts)[number]; who: number; pick: number; mention: number };

const towards = ["disconnect", "block", "unblock", "mute", "unmute"] as const;
const readers = ["everybody", "contacts", "people", "group"] as const;

/** What is done about something that is there. */
const reactions = ["like", "unlike", "dislike", "undislike"] as const;
const abouts = ["comment", ...reactions, "share", "unshare", "edit", "delete", "vote"] as const;

const person = fc.nat(nicks.length - 1);
const some = fc.uniqueArray(person, { minLength: 1, maxLength: 3 });
const mention = fc.oneof({ weight: 3, arbitrary: fc.constant(nobody) }, { weight: 1, arbitrary: person });
const connecting = fc.record({ do: fc.constant("connect" as const), who: person, whom: person });
const grouping = fc.record({ do: fc.constant("group" as const), who: person, members: some });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(...towards, "message" as const),
      who: person,
      whom: person,
    }),
  },
  { weight: 1, arbitrary: grouping },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("post" as const, "post" as const, "poll" as const),
      who: person,
      for: fc.constantFrom(...readers),
      people: some,
      mention,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom(...abouts, "comment" as const, "vote" as const, "answer" as const),
      who: person,
      pick: fc.nat(1000),
      mention,
    }),
  },
);
/** People are connected before anything is said: of what was said before, other hubs fetch the posts alone. */
export const stories = fc
  .tuple(
    fc.array(connecting, { minLength: 4, maxLength: 6 }),
    fc.array(grouping, { minLength: 1, maxLength: 2 }),
    fc.array(deed, { minLength: 8, maxLength: 25 }),
  )
  .map((parts): Deed[] => parts.flat());
const forEach = { minLength: nicks.length, maxLength: nicks.length };
export const places = fc.array(fc.nat(2), forEach);
/** Some let everybody in who asks; the others are asked back. */
export const roles = fc.array(fc.constantFrom<RoleName>("feed", "social"), forEach);
/** Whoever they are; between hubs not all is the same for these (decision 178). */
export const allRoles = fc.array(fc.constantFrom(...roleNames), forEach);

/** The same people somewhere, who do what they do by one door; what each has made is known by names that are the same everywhere. */
export type Side = { people: Inhabitant[]; groups: Map<number, number>; door: StoryDoor; settle(): Promise<void> };

/** A row of somebody's, by what it says and not by where it is. */
export type Row = {
  id: number;
  uuid: string;
  name: string;
  author: string;
  says: string;
  isPrivate: boolean;
  isPoll: boolean;
  /** A thread begins with it, and it is the copy of whoever owns that. */
  isTop: boolean;
  isOwners: boolean;
};

export async function rowsOf({ at, channel }: Inhabitant): Promise<Row[]> {
  const rows = await at.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("xchan as author", "author.xchan_id", "item.author_id")
    .innerJoin("xchan as owner", "owner.xchan_id", "item.owner_id")
    .select([
      "item.id",
      "uuid",
      "mid",
      "body",
      "verb",
      "obj_type",
      "obj",
      "thr_parent",
      "item_private",
      "item_thread_top",
      "owner_id",
    ])
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
            .where((ref) => ref("abook_xchan", "in", [ref.ref("author.xchan_hash"), ref.ref("owner.xchan_hash")]))
            .where((flag) => flag.or([flag("abook_blocked", "=", 1), flag("abook_ignored", "=", 1)])),
        ),
      ),
    )
    .execute();
  const names = new Map(rows.map(({ mid, body }) => [mid, /\bp\d+/.exec(body)?.[0] ?? ""]));
  return rows.map(({ id, uuid, mid, body, verb, thr_parent, item_private, item_thread_top, owner_id, ...people }) => {
    const [author, owner] = [nickOf(people.author), nickOf(people.owner)];
    const deed = body.startsWith("[share") ? "share" : verb.slice(verb.lastIndexOf("/") + 1);
    const text = /p\d+ v\d+/.exec(body)?.[0] ?? "";
    const poll = pollOf(people);
    const counts = poll ? ` ${poll.options.map(({ name, votes }) => `${name}: ${votes}`).join(", ")}` : "";
    const says = `${author}'s ${deed} below ${names.get(thr_parent) || "what is not there"} in ${owner}'s thread: ${text}${counts}`;
    const name = deed === "post" ? names.get(mid)! : "";
    return {
      id,
      uuid,
      name,
      author,
      says: item_private === 0 ? says : `${says} (private)`,
      isPrivate: item_private !== 0,
      isPoll: poll !== undefined,
      isTop: item_thread_top === 1,
      isOwners: owner_id === channel.xchan_id,
    };
  });
}

export type Letter = { id: number; name: string; partner: string; says: string };

export async function lettersOf({ at, channel }: Inhabitant): Promise<Letter[]> {
  const rows = await at.hub.db
    .selectFrom("mail")
    .innerJoin("xchan as sender", "sender.xchan_hash", "mail.from_xchan")
    .innerJoin("xchan as reader", "reader.xchan_hash", "mail.to_xchan")
    .select(["mail.id", "mid", "parent_mid", "body", "sender.xchan_name as from", "reader.xchan_name as to"])
    .select(["from_xchan", "to_xchan"])
    .where("channel_id", "=", channel.channel_id)
    .execute();
  const wordsOf = (body: string): string => /\bm\d+/.exec(body)?.[0] ?? "";
  const names = new Map(rows.map(({ mid, body }) => [mid, wordsOf(body)]));
  return rows.map(({ id, body, from, to, parent_mid, from_xchan, to_xchan }) => ({
    id,
    partner: from_xchan === channel.channel_hash ? to_xchan : from_xchan,
    name: wordsOf(body),
    says: `${nickOf(from)}'s message to ${nickOf(to)} below ${names.get(parent_mid) ?? "what is not there"}: ${wordsOf(body)}`,
  }));
}

/** Being mentioned in an answer and being answered are one: others mention whom they answer. */
export async function noticesOf({ at, channel }: Inhabitant): Promise<string[]> {
  const notices = await listNotices(at.hub, channel.channel_id);
  return notices.flatMap((notice) => {
    if (notice.kind === "worded" || ["confirmed", "follower", "request"].includes(notice.kind)) return [];
    return [`${notice.kind === "mention" ? "comment" : notice.kind} by ${nickOf(notice.actor.name)}`];
  });
}

export const nickOf = (name: string): string => name[0]!.toLowerCase();

/** Does it, and answers the status; undefined where there is nothing to do. `named`: what it is about. */
export async function act(side: Side, deed: Deed, step: number, named: string): Promise<number | undefined> {
  const { people, groups, door } = side;
  const one = people[deed.who]!;
  const hashOf = (n: number, by = one) => (people[n]!.at === by.at ? people[n]!.channel.channel_hash : people[n]!.id);
  // A mention in what is for some goes along to a hub that gets it anyway, and lets nobody in here.
  const saying = (name: string, n: number, isPublic: boolean) =>
    n === nobody || !isPublic ? `${name} v${step}` : `${name} v${step} @${people[n]!.nick}@${people[n]!.at.host}`;
  const connectedOf = async (whom: readonly number[]) => {
    const hashes = whom.filter((n) => n !== deed.who).map((n) => hashOf(n));
    const all = (await one.get("/api/z/1.0/abook")).json as Record<
      "abook_id" | "abook_xchan" | "abook_unconnected",
      string
    >[];
    return all.filter(({ abook_xchan, abook_unconnected: not }) => not === "0" && hashes.includes(abook_xchan));
  };
  switch (deed.do) {
    case "connect":
    case "disconnect": {
      const other = people[deed.whom]!;
      if (one === other) return undefined;
      const status = await door[deed.do](one, hashOf(deed.whom));
      await side.settle();
      await door[deed.do](other, hashOf(deed.who, other));
      return status;
    }
    case "unblock": {
      const other = people[deed.whom]!;
      if (one === other) return undefined;
      const wasBlocked = await blocks(one, hashOf(deed.whom));
      const status = await door.unblock(one, hashOf(deed.whom));
      if (!wasBlocked) return status;
      // Who was blocked elsewhere reads no more, and has to ask again.
      await door.connect(other, hashOf(deed.who, other));
      await side.settle();
      await door.connect(one, hashOf(deed.whom));
      return status;
    }
    case "block":
    case "mute":
    case "unmute":
      return deed.who === deed.whom ? undefined : door[deed.do](one, hashOf(deed.whom));
    case "group": {
      const user = (await connectedOf(deed.members)).map(({ abook_id }) => ({ cid: abook_id }));
      const gid = groups.get(deed.who) ?? 0;
      const form = { name: "Some", gid, json: JSON.stringify({ name: "Some", gid, user }) };
      const path = `/api/friendica/group_${gid === 0 ? "create" : "update"}?gid=${gid}`;
      const { status, json } = await one.post(path, form);
      if (gid === 0) groups.set(deed.who, json.gid);
      return status;
    }
    case "post":
    case "poll": {
      const text = saying(`p${step}`, deed.mention, deed.for === "everybody");
      const hashes = (await connectedOf(deed.people)).map(({ abook_xchan }) => abook_xchan);
      const gid = groups.get(deed.who);
      if (deed.for === "people")
        return hashes.length > 0 ? door[deed.do](one, text, { for: "people", hashes }) : undefined;
      if (deed.for === "group") return gid === undefined ? undefined : door[deed.do](one, text, { for: "group", gid });
      return door[deed.do](one, text, { for: deed.for });
    }
    case "message":
      if ((await connectedOf([deed.whom])).length === 0) return undefined;
      return door.message(one, hashOf(deed.whom), `m${step}`);
    case "answer": {
      const letter = (await lettersOf(one)).find(({ name }) => name === named);
      return letter && door.answer(one, letter, `m${step}`);
    }
    case "comment":
    case "edit":
    case "delete":
    case "vote":
    case "share":
    case "unshare":
    case "like":
    case "unlike":
    case "dislike":
    case "undislike": {
      const row = named === "" ? undefined : (await rowsOf(one)).find(({ name }) => name === named);
      return row && actOn(door, one, deed, row, (name) => saying(name, deed.mention, !row.isPrivate), step);
    }
  }
  throw new TypeError(`Nobody can ${JSON.stringify(deed)}`);
}

/** Does somebody not want to see everybody? */
export async function hidesSome({ at, channel }: Inhabitant): Promise<boolean> {
  const row = await at.hub.db
    .selectFrom("abook")
    .select("abook_id")
    .where("abook_channel", "=", channel.channel_id)
    .where((flag) => flag.or([flag("abook_blocked", "=", 1), flag("abook_ignored", "=", 1)]))
    .executeTakeFirst();
  return row !== undefined;
}

async function blocks({ at, channel }: Inhabitant, hash: string): Promise<boolean> {
  const row = await at.hub.db
    .selectFrom("abook")
    .select("abook_blocked")
    .where("abook_channel", "=", channel.channel_id)
    .where("abook_xchan", "=", hash)
    .executeTakeFirst();
  return row?.abook_blocked === 1;
}

async function actOn(
  door: StoryDoor,
  one: Inhabitant,
  deed: About,
  row: Row,
  saying: (name: string) => string,
  step: number,
): Promise<number> {
  switch (deed.do) {
    case "comment":
      return door.comment(one, saying(`p${step}`), row);
    case "edit":
      return door.edit(one, saying(row.name), row);
    case "delete":
      return door.remove(one, row);
    case "vote":
      return door.vote(one, row, deed.pick % options.length);
    case "share":
    case "unshare":
      return door[deed.do](one, row);
    case "like":
    case "unlike":
    case "dislike":
    case "undislike":
      return door.react(one, deed.do, row);
  }
  throw new TypeError(`Nobody can ${JSON.stringify(deed)}`);
}

/** What a deed is about, as those who are together have it. */
export async function chosen({ people }: Side, deed: Deed): Promise<string> {
  if (!("pick" in deed)) return "";
  if (deed.do === "answer") {
    const letters = await lettersOf(people[deed.who]!);
    return letters.length === 0 ? "" : letters[deed.pick % letters.length]!.name;
  }
  const rows = (await rowsOf(people[deed.who]!)).filter(({ name }) => name !== "");
  const own = rows.filter(({ author }) => author === nicks[deed.who]);
  const among =
    deed.do === "edit" || deed.do === "delete" ? own : deed.do === "vote" ? rows.filter(({ isPoll }) => isPoll) : rows;
  return among.length === 0 ? "" : among[deed.pick % among.length]!.name;
}

/** What one side has and the other has not. */
export function missing(those: readonly string[], these: readonly string[]): string[] {
  return those.filter((one) => !these.includes(one));
}

/** How somebody stands to the others. */
export async function connectionsOf({ at, channel }: Inhabitant): Promise<string[]> {
  const rows = await at.hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .select(["xchan_name", "abook_pending", "abook_blocked", "abook_ignored", "abook_unconnected"])
    .select(["follow_in", "follow_out"])
    .where("abook_channel", "=", channel.channel_id)
    .where("abook_self", "=", 0)
    .execute();
  return rows.map(({ xchan_name, ...state }) => `knows ${nickOf(xchan_name)}: ${JSON.stringify(state)}`);
}
