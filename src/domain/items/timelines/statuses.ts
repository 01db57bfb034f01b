import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { maySayNames } from "../../bodies/plain-text.ts";
import type { Observer } from "../../identity/channels/observer.ts";
import { loadAccounts } from "../../people/account-details.ts";
import type { AccountDetails, KnownPeople } from "../../people/account-details.ts";
import { loadUsers } from "../../people/users.ts";
import type { User } from "../../people/users.ts";
import { rowsSeen } from "../../permissions/visible.ts";
import { loadTerms } from "../assemble.ts";
import { selectStatuses, yes } from "../queries.ts";
import { loadStatusMedia } from "./status-media.ts";
import type { StatusMedia } from "./status-media.ts";
import { emptyStatusContext, loadStatusContext } from "./status-context.ts";
import type { StatusContext } from "./status-context.ts";
import type { StatusItem } from "../columns.ts";
import type { Term } from "../types.ts";

/** Statuses with everything that their presenters need, loaded in a fixed number of queries. */
export type StatusPage = StatusContext & {
  items: StatusItem[];
  /** By xchan_id. */
  users: Map<number, User>;
  /** The same of what applications show of people; only when asked for. */
  accounts: Map<number, AccountDetails>;
  /** By message_id: the shared originals that the observer may see; they are among `users`, `reactions` and so on too. */
  originals: Map<number, StatusItem>;
  /** By message_id; only when asked for. */
  terms: Map<number, Term[]>;
  /** By hash: their authors' files that they show; only when asked for. */
  media: Map<string, StatusMedia>;
};

/** What not every page shows: `people` are others than those who occur. Statuses that are `fresh` have just been posted: nobody has said anything to them. */
export type Extras = {
  terms?: boolean;
  media?: boolean;
  accounts?: boolean;
  fresh?: boolean;
  people?: readonly number[];
};

/** Loads what belongs to these statuses for the observer. */
export async function assembleStatuses(
  hub: Hub,
  observer: Observer,
  items: StatusItem[],
  { terms = false, media = false, accounts = false, fresh = false, people: others = [] }: Extras = {},
): Promise<StatusPage> {
  const loadPeople = accounts ? loadAccounts : loadUsersAlone;
  if (items.length === 0)
    return {
      ...emptyStatusContext(),
      items,
      ...(await loadPeople(hub, observer, others)),
      originals: new Map(),
      terms: new Map(),
      media: new Map(),
    };
  const originals = await loadOriginals(hub, observer, items);
  const all = [...items, ...originals.values()];
  const messages = terms ? all.map((item) => item.message_id) : [];
  const [{ people, ...around }, termsByMessage, files] = await Promise.all([
    fresh && all.every(isAlone) ? nothingAround() : loadStatusContext(hub, observer, all),
    loadTerms(hub, messages, observer.channelId),
    loadStatusMedia(hub, media ? all : []),
  ]);
  for (const item of all) people.add(item.author_id).add(item.owner_id);
  const known = await loadPeople(hub, observer, [...people.union(new Set(others))]);
  forgetBlocked(known.users, around.reactions);
  return { ...around, ...known, items, originals, terms: termsByMessage, media: files };
}

async function loadUsersAlone(...asked: Parameters<typeof loadUsers>): Promise<KnownPeople> {
  return { users: await loadUsers(...asked), accounts: new Map() };
}

/** A status that answers and mentions nobody has nothing around it but what others say. */
function isAlone(item: StatusItem): boolean {
  return item.item_thread_top === 1 && item.shared_id === 0 && !maySayNames(item.html);
}

function nothingAround(): StatusContext & { people: Set<number> } {
  return { ...emptyStatusContext(), people: new Set() };
}

/** Shared messages, by a copy that the observer may see: a share never shows more than its original would. */
export async function loadOriginals(
  hub: Hub,
  observer: Observer,
  items: readonly Pick<StatusItem, "shared_id">[],
): Promise<Map<number, StatusItem>> {
  const shared = [...new Set(items.map((item) => item.shared_id).filter((id) => id > 0))];
  if (shared.length === 0) return new Map();
  const me = observer.channelId;
  const copies = await rowsSeen(hub, observer, "what is shared", { shared, me }, ({ shared, me }, seen) =>
    selectStatuses(hub)
      .where(isOneOf(hub.engine, sql.ref("item.message_id"), shared))
      .where(seen)
      .where("item.item_normal", "=", yes)
      .where(sql<SqlBool>`(item.uid = ${me} or item.item_wall = 1)`)
      .orderBy(sql`case when item.uid = ${me} then 1 else 0 end`)
      .orderBy("item.id"),
  );
  return new Map(copies.map((item) => [item.message_id, item]));
}

/** Takes out the reactions of people whom the observer has blocked. */
function forgetBlocked(users: Map<number, User>, reactions: StatusContext["reactions"]): void {
  const blocked = new Set([...users.values()].flatMap((user) => (user.blocking ? [user.xchan_id] : [])));
  if (blocked.size === 0) return;
  for (const kinds of reactions.values()) {
    for (const [name, ids] of Object.entries(kinds)) kinds[name] = ids.filter((id) => !blocked.has(id));
  }
}
