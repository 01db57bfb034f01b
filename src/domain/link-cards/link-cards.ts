import { createHash, randomInt } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { cache } from "../../caches.ts";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { LinkCardTable } from "../../storage/tables/elsewhere.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { keepSaidCard } from "./said-card.ts";
import type { SaidCard } from "./said-card.ts";

/** What a page of elsewhere says of itself; texts are plain, and empty where it says nothing. */
export type LinkCard = Selectable<LinkCardTable>;

type Link = {
  /** May the page's server be asked? It learns that somebody has linked to it. */
  mayAsk: boolean;
  /** Is that done at once, or when somebody looks at the message (`cardsSeenBy`)? */
  atOnce: boolean;
  /** What somebody says of it; the page is not asked then. */
  said?: SaidCard | undefined;
};

/**
 * Notes which page a message links to. A job asks that page what it is about, once for all who link to it, at once or when somebody
 * looks. Where it may not be asked, only what is known already counts. Part of a transaction.
 */
export async function recordLink(hub: Hub, message_id: number, url: string, link: Link): Promise<void> {
  if (!hub.config.linkCards) return;
  const { mayAsk, atOnce, said } = link;
  // What a page has said itself counts more than what others say of it.
  const known = said && ((await findCard(hub, url)) ?? (await keepSaidCard(hub, said)));
  if (known) return leadTo(hub, message_id, known.id);
  const card = await (mayAsk ? ensureCard(hub, url) : findCard(hub, url));
  if (!card) return;
  await leadTo(hub, message_id, card.id);
  if (mayAsk && atOnce && card.again <= now(hub)) await askLater(hub, card, 0);
}

/** One after the other of each host. */
async function askLater(hub: Hub, { id, host }: Pick<LinkCard, "id" | "host">, wait: number): Promise<void> {
  const options = { key: `link card ${id}`, lane: `link cards of ${host}`, at: momentIn(hub, wait) };
  await addJob(hub, "make-link-card", { card: id }, options);
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
  const rows = await allCardsOf(hub, messages);
  return new Map(rows.filter(({ kind }) => kind !== "").map(({ message_id, ...card }) => [message_id, card]));
}

/**
 * The same for somebody who looks at these messages: with a log-in, pages that nobody has asked yet are asked, after a while that
 * differs from hub to hub. Where hubs without number get a post at once, so not all of them ask for what it links to at once, and
 * those where nobody looks never do (federation contract 14).
 */
export async function cardsSeenBy(
  hub: Hub,
  { channelId }: Pick<Observer, "channelId">,
  messages: readonly number[],
): Promise<Map<number, LinkCard>> {
  const rows = await allCardsOf(hub, messages);
  if (channelId > 0 && hub.config.linkCards) for (const card of rows) await askOnceSeen(hub, card);
  return new Map(rows.filter(({ kind }) => kind !== "").map(({ message_id, ...card }) => [message_id, card]));
}

const [shortest, longest] = [1000, 60_000];
/** Cards whose pages are about to be asked, and until when nobody else need see to that. */
const awaited = cache<number, number>(10_000);

/** Whoever looks gets the page whatever comes of this. */
async function askOnceSeen(hub: Hub, card: LinkCard): Promise<void> {
  const moment = hub.clock().getTime();
  if (card.kind !== "" || card.again > now(hub) || (awaited(hub).get(card.id) ?? 0) > moment) return;
  awaited(hub).set(card.id, moment + 2 * longest);
  await askLater(hub, card, randomInt(shortest, longest)).catch((error: unknown) =>
    hub.log.debug("The page of link card {id} is not asked: {error}", { id: card.id, error }),
  );
}

async function allCardsOf(hub: Hub, messages: readonly number[]): Promise<(LinkCard & { message_id: number })[]> {
  if (messages.length === 0) return [];
  return compiled(hub, "link cards", { messages: [...messages] }, (slots) =>
    hub.db
      .selectFrom("message_link")
      .innerJoin("link_card", "link_card.id", "message_link.card_id")
      .select("message_link.message_id")
      .selectAll("link_card")
      .where(isOneOf(hub.engine, sql.ref("message_link.message_id"), slots.messages)),
  );
}

/** Forgets to which pages these messages link. */
export async function forgetLinks(hub: Hub, messages: readonly number[]): Promise<void> {
  await hub.db
    .deleteFrom("message_link")
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
}
