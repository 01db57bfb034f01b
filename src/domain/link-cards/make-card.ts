import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { oncePerHub } from "../../caches.ts";
import { RefusedAddress, UnusableAnswer } from "../../fetch/fetch.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { addJob } from "../../jobs/queue.ts";
import { isLeftOut } from "../delivery/backlog.ts";
import { treatmentOf } from "../peers/site-blocks.ts";
import { copyPicture } from "../proxy/open-media.ts";
import { linkCardsOf } from "./link-cards.ts";
import type { LinkCard } from "./link-cards.ts";
import { pageText } from "./page-text.ts";
import { oneLine, webAddress } from "./one-line.ts";
import { readPage } from "./read-page.ts";
import type { PageWords } from "./read-page.ts";
import { filmWordsAt } from "./video-sites.ts";

type Payload = JobPayload<"make-link-card">;

/** There is nothing to make a card of. */
class SaysNothing extends Error {}

const day = 24 * 3600_000;
/** So long it holds what a page says of itself, and that it says nothing. */
const holds = { card: 7 * day, nothing: day };

/** Seconds until the next attempt. */
const waits = [120, 3600];

const underWay = oncePerHub(() => new Map<number, Promise<void>>());

/** So many milliseconds the hub has for what is more urgent. */
const delay = 15 * 60_000;

/**
 * The job that asks a page what it is about, and copies its picture. A page that cannot be had changes nothing. May run twice. It
 * waits while the hub has too much to do.
 */
export async function makeLinkCard(hub: Hub, payload: Payload): Promise<void> {
  if (await isLeftOut(hub, "previews")) return addJob(hub, "make-link-card", payload, { at: momentIn(hub, delay) });
  const { card } = payload;
  const begun = underWay(hub).get(card) ?? make(hub, payload).finally(() => underWay(hub).delete(card));
  underWay(hub).set(card, begun);
  return begun;
}

async function make(hub: Hub, payload: Payload): Promise<void> {
  const card = await hub.db.selectFrom("link_card").selectAll().where("id", "=", payload.card).executeTakeFirst();
  if (!card || card.again > now(hub)) return;
  try {
    const words = await askPage(hub, card);
    const picture = words.picture === "" ? undefined : await copyPicture(hub, words.picture);
    await write(hub, card.id, {
      ...columnsOf(card, words),
      ...(picture && { width: picture.width, height: picture.height, blurhash: picture.blurhash }),
      again: momentIn(hub, words.title === "" ? holds.nothing : holds.card),
    });
  } catch (error) {
    await giveUp(hub, payload, error);
  }
}

/** So many milliseconds a post waits for the card of what it leads to. */
const longestWait = 5000;

/** The card of the page to which a message leads, which is asked now if it has not been; undefined where it says nothing in time. */
export async function cardInTime(hub: Hub, message: number): Promise<LinkCard | undefined> {
  if (!hub.config.linkCards) return undefined;
  const waiting = await hub.db
    .selectFrom("message_link")
    .innerJoin("link_card", "link_card.id", "message_link.card_id")
    .select("link_card.id")
    .where("message_link.message_id", "=", message)
    .where("link_card.kind", "=", "")
    .where("link_card.again", "<=", now(hub))
    .executeTakeFirst();
  if (waiting && !(await isLeftOut(hub, "previews")))
    await Promise.race([makeLinkCard(hub, { card: waiting.id }), setTimeout(longestWait, undefined, { ref: false })]);
  return (await linkCardsOf(hub, [message])).get(message);
}

async function askPage(hub: Hub, { url, host }: LinkCard): Promise<PageWords> {
  const { level, noMedia } = await treatmentOf(hub, host);
  if (level === "suspend") throw new SaysNothing();
  const film = filmWordsAt(url);
  const words = film === undefined ? await askForHtml(hub, url) : await askAboutFilm(hub, film);
  return noMedia ? { ...words, picture: "" } : words;
}

async function askForHtml(hub: Hub, url: string): Promise<PageWords> {
  const answer = await ask(hub, url, "text/html, application/xhtml+xml;q=0.9");
  const type = answer.headers.get("content-type") ?? "";
  if (!/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) {
    await answer.body?.cancel();
    throw new SaysNothing();
  }
  return readPage(pageText(Buffer.from(await answer.arrayBuffer()), type), answer.url || url);
}

const filmWords = z.object({
  title: z.string(),
  author_name: z.string().catch(""),
  provider_name: z.string().catch(""),
  thumbnail_url: z.string().catch(""),
});

/** Such sites say it in JSON, where their pages have megabytes. */
async function askAboutFilm(hub: Hub, url: string): Promise<PageWords> {
  const answer = await ask(hub, url, "application/json");
  const read = filmWords.safeParse(jsonOf(await answer.text()));
  if (!read.success) throw new SaysNothing();
  const { title, author_name, provider_name, thumbnail_url } = read.data;
  return {
    title: oneLine(title, 300),
    description: "",
    site: oneLine(provider_name, 100),
    author: oneLine(author_name, 100),
    language: "",
    picture: webAddress(thumbnail_url, url),
    pictureText: "",
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function ask(hub: Hub, url: string, accept: string): Promise<Response> {
  const answer = await hub.fetch(url, { purpose: "page", headers: { accept }, byHand: true });
  if (answer.status >= 500 || answer.status === 429) throw new Error(`The server answered ${answer.status}`);
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new SaysNothing();
  }
  return answer;
}

function columnsOf({ url }: LinkCard, { pictureText, ...words }: PageWords) {
  const kind = words.title === "" ? "" : filmWordsAt(url) === undefined ? "link" : "video";
  return { ...words, picture_text: pictureText, kind };
}

async function write(hub: Hub, id: number, columns: Partial<LinkCard>): Promise<void> {
  await hub.db.updateTable("link_card").set(columns).where("id", "=", id).execute();
}

/** What may be well later is tried again a few times. */
async function giveUp(hub: Hub, payload: Payload, error: unknown): Promise<void> {
  const { card, attempt = 0 } = payload;
  hub.log.debug("The page of link card {card} says nothing: {error}", { card, error });
  const isFinal = error instanceof SaysNothing || error instanceof RefusedAddress || error instanceof UnusableAnswer;
  const wait = isFinal ? undefined : waits[attempt];
  if (wait === undefined) return write(hub, card, { again: momentIn(hub, holds.nothing) });
  await inTransaction(hub, (hub) =>
    addJob(hub, "make-link-card", { card, attempt: attempt + 1 }, { at: momentIn(hub, wait * 1000) }),
  );
}
