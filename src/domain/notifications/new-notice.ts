import { randomBytes } from "node:crypto";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { sendsMail } from "../mail/queue-mail.ts";
import type { Ways } from "./choices.ts";
import { groupKeyOf } from "./groups.ts";
import { mailNumber } from "./mail-times.ts";

/** What somebody did, with the ids of what it is about as the recipient has it. */
export type Deed =
  | { kind: "wall" | "post" | "mention" | "reaction"; item: number; verb: string }
  /** `thread` is the top of its thread. */
  | { kind: "comment"; item: number; verb: string; thread: number }
  /** `of` is the message that was shared. */
  | { kind: "share"; item: number; of: number }
  | { kind: "tag" | "edit" | "poll"; item: number }
  | { kind: "held"; verb: string }
  | { kind: "mail"; mail: number }
  | { kind: "request" | "stranger" | "sign-up" | "warned" | "webhook-off" }
  | { kind: "report"; report: number }
  | { kind: "follower" | "confirmed" | "declined"; connection: number };

export type NewNotice = Deed & {
  to: { channel_id: number; xchan_id: number };
  /** Id of the xchan; 0 for the hub itself. */
  actor: number;
};

/** As it is stored. */
export type Row = About &
  Record<"hash" | "verb" | "created" | "group_key", string> &
  Record<"uid" | "actor_id" | "listed" | "seen" | "mail" | "filtered", number> & { kind: Deed["kind"] };

/** The columns with what a notice is about. */
type About = Record<"item_id" | "mail_id" | "abook_id" | "report_id", number>;

/** The row of a notice that is told by these ways. */
export function rowOf(hub: Hub, notice: NewNotice, ways: Ways): Row {
  const told = {
    hash: randomBytes(32).toString("hex"),
    kind: notice.kind,
    verb: "verb" in notice ? notice.verb : "",
    actor_id: notice.actor,
    created: now(hub),
  };
  return {
    ...told,
    uid: notice.to.channel_id,
    ...aboutOf(notice),
    group_key: groupKeyOf({ ...told, thing: thingOf(notice) }),
    listed: ways.page ? 1 : 0,
    // Nothing of what no list shows waits there to be seen.
    seen: ways.page ? 0 : 1,
    mail: sendsMail(hub) ? mailNumber(ways.mail) : 0,
    filtered: 0,
  };
}

/** What a notice is about, by the columns. */
export function aboutOf(deed: Deed): About {
  return {
    item_id: "item" in deed ? deed.item : 0,
    mail_id: "mail" in deed ? deed.mail : 0,
    abook_id: "connection" in deed ? deed.connection : 0,
    report_id: "report" in deed ? deed.report : 0,
  };
}

/** What a notice is about, for those that stand together. */
function thingOf(deed: Deed): number {
  if (deed.kind === "comment") return deed.thread;
  if (deed.kind === "share") return deed.of;
  return "item" in deed ? deed.item : 0;
}
