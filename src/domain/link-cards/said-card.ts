import { createHash } from "node:crypto";
import { momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { treatmentOf } from "../peers/site-blocks.ts";
import { languageTag, oneLine, webAddress } from "./one-line.ts";
import { playerOf } from "./video-sites.ts";

/** What the author of a post of elsewhere says of a page to which it leads; as it came. */
export type SaidCard = {
  url: string;
  title: string;
  description: string;
  language: string;
  picture: string;
  pictureText: string;
  width: number;
  height: number;
  blurhash: string;
};

/** As long as the words of a page that was asked. */
const holds = 7 * 24 * 3600_000;

/**
 * Keeps a card as somebody has sent it. It is that of those posts alone that bring these words: what others say of the page, and what
 * it says itself when it is asked, stands in cards of their own. Part of a transaction.
 */
export async function keepSaidCard(hub: Hub, said: SaidCard): Promise<{ id: number } | undefined> {
  const { url, width, height } = said;
  const { host } = new URL(url);
  const { level, noMedia } = await treatmentOf(hub, host);
  const title = oneLine(said.title, 300);
  if (title === "" || level === "suspend") return undefined;
  const words = {
    title,
    description: oneLine(said.description, 500),
    language: languageTag(said.language),
    picture: noMedia ? "" : webAddress(said.picture, url),
    picture_text: oneLine(said.pictureText, 1500),
    ...(width > 0 && height > 0 && { width, height }),
    blurhash: said.blurhash.slice(0, 100),
    kind: playerOf(url) === undefined ? "link" : "video",
  };
  const digest = createHash("sha256")
    .update(`said ${JSON.stringify([url, words])}`)
    .digest("base64url");
  const again = momentIn(hub, holds);
  return hub.db
    .insertInto("link_card")
    .values({ ...words, digest, url, host, again })
    .onConflict((conflict) => conflict.column("digest").doUpdateSet({ again }))
    .returning("id")
    .executeTakeFirstOrThrow();
}
