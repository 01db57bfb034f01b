import { sql } from "kysely";
import type { Selectable } from "kysely";
import { HubError, missing, refusal } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { keptForm } from "../../refusals/messages.ts";
import { inPieces, isOneOf } from "../../storage/sql.ts";
import type { BlockListTable, ListedBlockTable } from "../../storage/tables/elsewhere.ts";
import { domainsAround } from "./hosts.ts";
import { readBlockList } from "./read-block-list.ts";
import type { ListedBlock } from "./read-block-list.ts";
import { rulesChanged } from "./site-blocks.ts";

/**
 * Lists of blocked domains that others keep and the site follows (federation contract 13). What they say counts where the site has
 * said nothing itself, as long as it stands there; whoever ends a subscription takes back all that it brought.
 */

/** A list, and how many domains it has: those that count, and those that wait for an administrator. */
export type BlockList = Selectable<BlockListTable> & { counting: number; waiting: number };

/** One domain of it; `taken` is 0 as long as it waits. */
export type Listed = Omit<Selectable<ListedBlockTable>, "list_id">;

const day = 24 * 3600_000;
const mostLists = 50;

/** The lists, in the order in which they were subscribed to. */
export async function listBlockLists(hub: Hub): Promise<BlockList[]> {
  const rows = await hub.db
    .selectFrom("block_list")
    .leftJoin("listed_block", "listed_block.list_id", "block_list.id")
    .selectAll("block_list")
    .select((x) => [
      x.fn.sum<number>(sql`coalesce(taken, 0)`).as("counting"),
      x.fn.sum<number>(sql`coalesce(1 - taken, 0)`).as("waiting"),
    ])
    .groupBy("block_list.id")
    .orderBy("block_list.id")
    .execute();
  return rows.map((row) => ({ ...row, counting: Number(row.counting), waiting: Number(row.waiting) }));
}

/** One of them, by its number or address. Throws missing. */
export async function findBlockList(hub: Hub, named: number | string): Promise<Selectable<BlockListTable>> {
  const row = await hub.db
    .selectFrom("block_list")
    .selectAll()
    .where(typeof named === "number" ? "id" : "url", "=", named)
    .executeTakeFirst();
  if (!row) throw missing("Subscription");
  return row;
}

/** What a list says, by domain; `after` is the last one of the page before. */
export async function listListed(
  hub: Hub,
  list: number,
  { after = "", count }: { after?: string; count: number },
): Promise<Listed[]> {
  return hub.db
    .selectFrom("listed_block")
    .select(["domain", "level", "no_media", "public_comment", "taken"])
    .where("list_id", "=", list)
    .where("domain", ">", after)
    .orderBy("domain")
    .orderBy("taken")
    .limit(count)
    .execute();
}

/** The lists that say something that counts of this host, or of a domain around it. */
export async function listsNaming(hub: Hub, host: string): Promise<string[]> {
  const rows = await hub.db
    .selectFrom("block_list")
    .select("url")
    .where((x) =>
      x.exists(
        x
          .selectFrom("listed_block")
          .select("list_id")
          .whereRef("list_id", "=", "block_list.id")
          .where(isOneOf(hub.engine, sql.ref("domain"), domainsAround(host)))
          .where("taken", "=", sql.lit(1)),
      ),
    )
    .orderBy("url")
    .execute();
  return rows.map(({ url }) => url);
}

/**
 * Follows the list at an address, which is fetched at once; with `reviewed`, what it says counts only when an administrator has
 * taken it over. Throws invalid for what is no list, conflict, and unavailable where it cannot be had.
 */
export async function subscribe(hub: Hub, address: string, reviewed: boolean): Promise<Selectable<BlockListTable>> {
  const url = readAddress(address);
  const blocks = await fetchList(hub, url);
  return inTransaction(hub, async (hub) => {
    const known = await hub.db.selectFrom("block_list").select(["id", "url"]).execute();
    if (known.some((list) => list.url === url)) throw refusal("list_subscribed");
    if (known.length >= mostLists) throw refusal("block_lists_too_many", { most: mostLists });
    const moment = now(hub);
    const list = await hub.db
      .insertInto("block_list")
      .values({ url, reviewed: reviewed ? 1 : 0, created: moment, asked: moment, fetched: moment })
      .returningAll()
      .executeTakeFirstOrThrow();
    await write(hub, list, blocks);
    return list;
  });
}

/** Follows a list no more: nothing that it brought counts from now on. Throws missing. */
export async function unsubscribe(hub: Hub, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const removed = await hub.db.deleteFrom("block_list").where("id", "=", id).executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw missing("Subscription");
    await hub.db.deleteFrom("listed_block").where("list_id", "=", id).execute();
    await rulesChanged(hub);
  });
}

/** What waits of a list counts from now on. Throws missing. */
export async function takeOver(hub: Hub, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const list = await findBlockList(hub, id);
    const rows = await rowsOf(hub, id);
    const waiting = new Set(rows.filter(({ taken }) => taken === 0).map(({ domain }) => domain));
    const next = rows.filter(({ domain, taken }) => taken === 0 || !waiting.has(domain));
    await replace(
      hub,
      list.id,
      next.map((row) => ({ ...row, taken: 1 })),
    );
  });
}

/** Fetches a list anew. What cannot be had, or is no list any more, leaves things as they are; the list says why. Throws missing. */
export async function refresh(hub: Hub, id: number): Promise<void> {
  const { url } = await findBlockList(hub, id);
  const asked = now(hub);
  let found: ListedBlock[] | HubError;
  try {
    found = await fetchList(hub, url);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    found = error;
  }
  await inTransaction(hub, async (hub) => {
    const list = await hub.db
      .updateTable("block_list")
      .set(found instanceof HubError ? { asked, fault: keptForm(found) } : { asked, fetched: asked, fault: "" })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (list && !(found instanceof HubError)) await write(hub, list, found);
  });
}

/** Fetches the lists anew of which nothing has been heard for a day. A regular job. */
export async function refreshBlockLists(hub: Hub): Promise<void> {
  const due = hub.db.selectFrom("block_list").select("id").where("asked", "<=", momentIn(hub, -day));
  for (const { id } of await due.orderBy("asked").execute()) await refresh(hub, id);
}

function readAddress(text: string): string {
  const address = text.trim();
  if (!/^https?:\/\//i.test(address) || address.length > 2048 || !URL.canParse(address))
    throw refusal("list_address_wrong");
  return new URL(address).href;
}

/** A list without a single domain is a mistake of its keeper rather than the end of all blocks. */
async function fetchList(hub: Hub, url: string): Promise<ListedBlock[]> {
  const { blocks } = await readBlockList(await textAt(hub, url));
  const own = domainsAround(new URL(hub.config.baseUrl).host);
  const others = blocks.filter(({ domain, level, noMedia }) => !own.includes(domain) && (level !== "none" || noMedia));
  if (others.length === 0) throw refusal("list_wrong");
  return others;
}

async function textAt(hub: Hub, url: string): Promise<string> {
  const answer = await hub
    .fetch(url, {
      purpose: "document",
      headers: { accept: "text/csv, application/json, text/plain;q=0.9" },
      byHand: true,
    })
    .catch((cause: unknown) => {
      throw refusal("list_not_fetched", { cause });
    });
  if (answer.status === 200) return answer.text();
  await answer.body?.cancel();
  throw refusal("list_not_fetched");
}

type ListedRow = Omit<Selectable<ListedBlockTable>, "list_id">;

async function rowsOf(hub: Hub, list: number): Promise<ListedRow[]> {
  return hub.db
    .selectFrom("listed_block")
    .select(["domain", "level", "no_media", "public_comment", "taken"])
    .where("list_id", "=", list)
    .orderBy("domain")
    .orderBy("taken")
    .execute();
}

/** What is new, or said otherwise, waits where an administrator wants to see it first; what is gone counts no more in either case. */
async function write(
  hub: Hub,
  { id, reviewed }: Selectable<BlockListTable>,
  blocks: readonly ListedBlock[],
): Promise<void> {
  const before = await rowsOf(hub, id);
  const counting = new Map(before.filter(({ taken }) => taken === 1).map((row) => [row.domain, row]));
  const next = blocks.flatMap(({ domain, level, noMedia, publicComment: public_comment }): ListedRow[] => {
    const said = { domain, level, no_media: noMedia ? 1 : 0, public_comment };
    const known = counting.get(domain);
    const isSame = known?.level === said.level && known.no_media === said.no_media;
    if (reviewed === 0 || isSame) return [{ ...said, taken: 1 }];
    return [...(known ? [known] : []), { ...said, taken: 0 }];
  });
  const sorted = next.toSorted((one, other) =>
    one.domain < other.domain ? -1 : one.domain > other.domain ? 1 : one.taken - other.taken,
  );
  if (JSON.stringify(sorted) !== JSON.stringify(before)) await replace(hub, id, sorted);
}

async function replace(hub: Hub, list_id: number, rows: readonly ListedRow[]): Promise<void> {
  await hub.db.deleteFrom("listed_block").where("list_id", "=", list_id).execute();
  for (const piece of inPieces(rows.map((row) => ({ ...row, list_id }))))
    await hub.db.insertInto("listed_block").values(piece).execute();
  await rulesChanged(hub);
}
