import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { asFlag, isOneOf, listHolds } from "../../storage/sql.ts";
import { channelSettings, families } from "../identity/channels/channel-settings.ts";
import { isUnfiltered } from "./kinds.ts";
import type { NoticeKind } from "./kinds.ts";
import { policiesOf, policyCases } from "./policy.ts";
import type { NoticePolicy, PolicyCase, PolicyRule } from "./policy.ts";

/** As much of a notice as the policy of its reader is about. */
export type Judged = { uid: number; actor: number; kind: NoticeKind; item: number; mail: number };

/** Whom the hub has known for less than this is new. */
const newFor = 30 * 24 * 3600 * 1000;

/**
 * What the policies of their readers say of notices. This is the one place that knows: whatever tells of notices tells of those that
 * are accepted. Nothing but a single query where nobody has a policy.
 */
export async function judge(hub: Hub, notices: readonly Judged[]): Promise<(notice: Judged) => PolicyRule> {
  const policies = await policiesOf(hub, [...new Set(notices.map(({ uid }) => uid))]);
  const judged = notices.filter(({ uid, kind }) => policies.has(uid) && !isUnfiltered(kind));
  if (judged.length === 0) return () => "accept";
  const people = await peopleOf(hub, judged);
  const unasked = await unaskedPrivately(
    hub,
    judged.filter(({ uid }) => policies.get(uid)!["private-mentions"] !== "accept"),
  );
  return (notice) => {
    const policy = policies.get(notice.uid);
    const person = people.get(keyOf(notice));
    if (!policy || !person || isUnfiltered(notice.kind) || Number(person.is_let_in) === 1) return "accept";
    return strictest(policy, casesOf(person, unasked(notice)));
  };
}

function strictest(policy: NoticePolicy, cases: readonly PolicyCase[]): PolicyRule {
  const rules = cases.map((one) => policy[one]);
  return rules.find((rule) => rule === "drop") ?? rules.find((rule) => rule === "filter") ?? "accept";
}

type Person = Awaited<ReturnType<typeof loadPeople>>[number];

/** Whom somebody follows is no stranger, whatever else they are. */
function casesOf(person: Person, isUnasked: boolean): PolicyCase[] {
  const holds: Record<PolicyCase, boolean> = {
    "not-following": person.follow_out !== "accepted",
    "not-followers": person.follow_in !== "accepted",
    "new-accounts": person.follow_out !== "accepted" && Number(person.is_new) === 1,
    "private-mentions": person.follow_out !== "accepted" && isUnasked,
    "limited-accounts": person.follow_out !== "accepted" && person.xchan_censored === 1,
    bots: person.follow_out !== "accepted" && Number(person.is_program) === 1,
  };
  return policyCases.filter((one) => holds[one]);
}

async function peopleOf(hub: Hub, notices: readonly Judged[]): Promise<Map<string, Person>> {
  const people = await loadPeople(hub, unique(notices, "uid"), unique(notices, "actor"));
  return new Map(people.map((person) => [keyOf(person), person]));
}

function keyOf({ uid, actor }: { uid: number; actor: number }): string {
  return `${uid} ${actor}`;
}

function unique(notices: readonly Judged[], name: "uid" | "actor"): number[] {
  return [...new Set(notices.map((notice) => notice[name]))];
}

/** What people are to channels. */
function loadPeople(hub: Hub, uids: readonly number[], actors: readonly number[]) {
  const { cat, k } = channelSettings.kind;
  const isNew = sql`xchan_created > ${momentIn(hub, -newFor)}`;
  const isProgram = sql`exists (select 1 from actor where actor.xchan_id = xchan.xchan_id and actor.type in ('Service', 'Application'))
    or exists (select 1 from channel own join config c on c.uid = own.channel_id
      where own.channel_hash = xchan.xchan_hash and c.cat = ${sql.lit(cat)} and c.k = ${sql.lit(k)} and c.v = 'service')`;
  const isLetIn = sql`exists (select 1 from config c
    where c.uid = channel.channel_id and c.cat = ${sql.lit(families.letIn)} and c.k = xchan.xchan_hash)`;
  return hub.db
    .selectFrom("channel")
    .innerJoin("xchan", (join) => join.on(isOneOf(hub.engine, sql.ref("xchan.xchan_id"), actors)))
    .leftJoin("abook", (join) =>
      join.onRef("abook_channel", "=", "channel.channel_id").onRef("abook_xchan", "=", "xchan.xchan_hash"),
    )
    .select(["channel.channel_id as uid", "xchan.xchan_id as actor", "xchan_censored", "follow_out", "follow_in"])
    .select([asFlag(isNew).as("is_new"), asFlag(isProgram).as("is_program"), asFlag(isLetIn).as("is_let_in")])
    .where(isOneOf(hub.engine, sql.ref("channel.channel_id"), uids))
    .execute();
}

/** Which notices are about something private that answers nothing of the reader: direct threads and messages that others began. */
async function unaskedPrivately(hub: Hub, notices: readonly Judged[]): Promise<(notice: Judged) => boolean> {
  const [items, mails] = await Promise.all([
    ofItems(
      hub,
      notices.flatMap(({ item }) => (item > 0 ? [item] : [])),
    ),
    ofMails(
      hub,
      notices.flatMap(({ mail }) => (mail > 0 ? [mail] : [])),
    ),
  ]);
  return ({ item, mail }) => items.has(item) || mails.has(mail);
}

async function ofItems(hub: Hub, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("item as top", "top.id", "item.parent")
    .innerJoin("channel", "channel.channel_id", "item.uid")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("item.id")
    .where(isOneOf(hub.engine, sql.ref("item.id"), ids))
    .where("top.item_direct", "=", sql.lit(1))
    .where(sql<SqlBool>`not exists (select 1 from item own
      where own.parent = item.parent and own.item_normal = 1 and own.author_id = xchan.xchan_id)`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function ofMails(hub: Hub, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await hub.db
    .selectFrom("mail")
    .innerJoin("channel", "channel.channel_id", "mail.channel_id")
    .select("mail.id")
    .where(isOneOf(hub.engine, sql.ref("mail.id"), ids))
    .where(sql<SqlBool>`not exists (select 1 from mail own where own.channel_id = mail.channel_id
      and own.from_xchan = channel.channel_hash and own.to_xchan = mail.from_xchan and own.mail_deleted = 0)`)
    .where(sql<SqlBool>`not exists (select 1 from mail own where own.channel_id = mail.channel_id
      and own.from_xchan = channel.channel_hash and own.also_to <> '' and own.mail_deleted = 0
      and ${listHolds(hub.engine, sql.ref("own.also_to"), sql.ref("mail.from_xchan"))})`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
