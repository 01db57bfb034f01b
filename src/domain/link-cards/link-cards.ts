import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { LinkCardTable } from "../../storage/tables/elsewhere.ts";
import { keepSaidCard } from "./said-card.ts";
import type { SaidCard } from "./said-card.ts";

/** What a page of elsewhere says of itself; texts are plain, and empty where it says nothing. */
export type LinkCard = Selectable<LinkCardTable>;

type Link = {
  /** May the page's server be asked? It learns that somebody has linked to it. */
  mayAsk: boolean;
  /** After how many seconds that is done. */
  wait: number;
  /** What somebody says of it; the page is not asked then. */
  said?: SaidCard | undefined;
};

/**
 * Notes which page a message links to, and has a job ask that page what it is about, once for all who link to it. Where it may not be
 * asked, only what is known already counts. Part of a transaction.
 */
export async function recordLink(hub: Hub, message_id: number, url: string, link: Link): Promise<void> {
  if (!hub.config.linkCards) return;
  const { mayAsk, wait, said } = link;
  // What a page has said itself counts more than what others say of it.
  const known = said && ((await findCard(hub, url)) ?? (await keepSaidCard(hub, said)));
  if (known) return leadTo(hub, message_id, known.id);
  const card = await (mayAsk ? ensureCard(hub, url) : findCard(hub, url));
  if (!card) return;
  const { id: card_id, host, again } = card;
  await leadTo(hub, message_id, card_id);
  if (!mayAsk || again > now(hub)) return;
  // One after the other of each host.
  const options = { key: `link card ${card_id}`, lane: `link cards of ${host}`, at: momentIn(hub, wait * 1000) };
  await addJob(hub, "make-link-card", { card: card_id }, options);
}

async function leadTo(hub: Hub, message_id: number, card_id: number): Promise<void> {
  await hub.db
    .insertInto("message_link")
    .values({ message_id, card_id })
    .onConflict((conflict) => conflict.column("message_id").doUpdateSet({ card_id }))
    .execute();
}

async function findCard(hub: Hub, url: string): Promise<LinkCard | undefined> {
  const cards = hub.db.selectFrom("link_card").selectAll().where("digest", "=", digestOf(url));
  return cards.where("kind", "<>", sql.lit("")).executeTakeFirst();
}

async function ensureCard(hub: Hub, url: string): Promise<LinkCard> {
  const digest = digestOf(url);
  return hub.db
    .insertInto("link_card")
    .values({ digest, url, host: new URL(url).host })
    .onConflict((conflict) => conflict.column("digest").doUpdateSet({ url }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Addresses may be longer than an index takes. */
function digestOf(url: string): string {
  return createHash("sha256").update(url).digest("base64url");
}

/** What is known of the pages to which these messages link, by message id, in one query. */
export async function linkCardsOf(hub: Hub, messages: readonly number[]): Promise<Map<number, LinkCard>> {
  if (messages.length === 0) return new Map();
  const rows = await compiled(hub, "link cards", { messages: [...messages] }, (slots) =>
    hub.db
      .selectFrom("message_link")
      .innerJoin("link_card", "link_card.id", "message_link.card_id")
      .select("message_link.message_id")
      .selectAll("link_card")
      .where(isOneOf(hub.engine, sql.ref("message_link.message_id"), slots.messages))
      .where("link_card.kind", "<>", sql.lit("")),
  );
  return new Map(rows.map(({ message_id, ...card }) => [message_id, card]));
}

/** Forgets to which pages these messages link. */
export async function forgetLinks(hub: Hub, messages: readonly number[]): Promise<void> {
  await hub.db
    .deleteFrom("message_link")
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
}
