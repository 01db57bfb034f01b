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
import { loadStatusDetails } from "./status-details.ts";
import type { StatusDetails } from "./status-details.ts";
import { loadStatusMedia } from "./status-media.ts";
import type { StatusMedia } from "./status-media.ts";
import { emptyStatusContext, loadStatusContext } from "./status-context.ts";
import type { PeopleAround, StatusContext } from "./status-context.ts";
import type { ApplicationItem, StatusItem } from "../columns.ts";
import type { Term } from "../types.ts";

/** Statuses with everything that their presenters need, loaded in a fixed number of queries. */
export type StatusPage<Item = StatusItem> = StatusContext & {
  items: Item[];
  /** By xchan_id. */
  users: Map<number, User>;
  /** The same of what applications show of people; only when asked for. */
  accounts: Map<number, AccountDetails>;
  /** By item id, also of the originals: what applications show of statuses; only for them. */
  details: Map<number, StatusDetails>;
  /** By message_id: the shared originals that the observer may see; they are among `users`, `reactions` and so on too. */
  originals: Map<number, StatusItem>;
  /** By message_id; only when asked for. */
  terms: Map<number, Term[]>;
  /** By hash: their authors' files that they show; only when asked for. */
  media: Map<string, StatusMedia>;
};

/**
 * What not every page shows: `people` are others than those who occur. Statuses that are `fresh` have just been posted: nobody has said
 * anything to them. Applications show accounts of authors and of those who are named, and of nobody else; and of terms hashtags and names.
 */
export type Extras = {
  terms?: boolean;
  media?: boolean;
  applications?: boolean;
  fresh?: boolean;
  people?: readonly number[];
};

/** Loads what belongs to these statuses for the observer. */
export async function assembleStatuses<Item extends ApplicationItem>(
  hub: Hub,
  observer: Observer,
  items: Item[],
  { terms = false, media = false, applications = false, fresh = false, people: others = [] }: Extras = {},
): Promise<StatusPage<Item>> {
  const loadPeople = applications ? loadAccounts : loadUsersAlone;
  if (items.length === 0)
    return {
      ...emptyStatusContext(),
      items,
      ...(await loadPeople(hub, observer, others)),
      details: new Map(),
      originals: new Map(),
      terms: new Map(),
      media: new Map(),
    };
  const originals = await loadOriginals(hub, observer, items);
  const all = [...items, ...originals.values()];
  const messages = terms ? all.map((item) => item.message_id) : [];
  const context = loadAround(hub, observer, all, { applications, fresh });
  const [{ people, ...around }, details, termsByMessage, files] = await Promise.all([
    context,
    loadStatusDetails(hub, observer, applications ? all : [], context),
    loadTerms(hub, messages, observer.channelId),
    loadStatusMedia(hub, media ? all : []),
  ]);
  const shown = people.named.union(new Set(others));
  for (const item of all) shown.add(item.author_id);
  if (!applications) for (const item of all) shown.add(item.owner_id);
  const known = await loadPeople(hub, observer, [...(applications ? shown : shown.union(people.reacting))]);
  return { ...around, ...known, items, details, originals, terms: termsByMessage, media: files };
}

async function loadUsersAlone(...asked: Parameters<typeof loadUsers>): Promise<KnownPeople> {
  return { users: await loadUsers(...asked), accounts: new Map() };
}

async function loadAround(
  hub: Hub,
  observer: Observer,
  items: readonly ApplicationItem[],
  { applications = false, fresh = false }: Extras,
): Promise<StatusContext & { people: PeopleAround }> {
  return fresh && items.every(isAlone) ? nothingAround() : loadStatusContext(hub, observer, items, applications);
}

/** A status that answers and mentions nobody has nothing around it but what others say. */
function isAlone(item: ApplicationItem): boolean {
  return item.item_thread_top === 1 && item.shared_id === 0 && !maySayNames(item.html);
}

function nothingAround(): StatusContext & { people: PeopleAround } {
  return { ...emptyStatusContext(), people: { named: new Set(), reacting: new Set() } };
}

/** Shared messages, by a copy that the observer may see: a share never shows more than its original would. */
export async function loadOriginals(
  hub: Hub,
  observer: Observer,
  items: readonly Pick<ApplicationItem, "shared_id">[],
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
