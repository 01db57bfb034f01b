import { isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { findCame } from "../../../domain/items/foreign-documents.ts";
import { findQuoted, isStampedHere } from "../../../domain/items/receiving/quoted.ts";
import type { Quoted } from "../../../domain/items/receiving/quoted.ts";
import type { ReceivedPost } from "../../../domain/items/receiving/received.ts";
import type { Hub } from "../../../hub.ts";
import { policyOf } from "../translate/policy.ts";
import { readJson } from "../translate/json.ts";
import { Node } from "../translate/node.ts";
import { keepOriginal, unlessAway } from "./originals.ts";
import { isStamp } from "./stamps.ts";

/**
 * The same post with what it quotes, where that may be shown: it bears a stamp of the quoted author, quotes its own author, or
 * somebody who does not say who may quote (federation contract 7). Anything else stays a link, and so does what cannot be had now.
 */
export async function withQuote(hub: Hub, post: ReceivedPost): Promise<ReceivedPost> {
  const { quote, quoteStamp, author } = post;
  if (quote === undefined || post.audience.for === "named") return post;
  // Only what may turn out to be shown is fetched.
  const mayBe = quoteStamp !== undefined || isSameOrigin(quote, author.xchan_hash);
  const quoted = await quotedAt(hub, quote, mayBe).catch(unlessAway);
  const shown = quoted && (await isAuthorised(hub, post, quote, quoted).catch(unlessAway));
  return quoted && shown ? { ...post, quoted: { id: quoted.id, share: quoted.share } } : post;
}

async function quotedAt(hub: Hub, id: string, fetches: boolean): Promise<Quoted | undefined> {
  const here = await findQuoted(hub, id);
  if (here || !fetches || !(await keepOriginal(hub, id))) return here;
  return findQuoted(hub, id);
}

async function isAuthorised(
  hub: Hub,
  { mid, author, quoteStamp }: ReceivedPost,
  quote: string,
  quoted: Quoted,
): Promise<boolean> {
  if (quoted.author_id === author.xchan_id) return true;
  if (isSameOrigin(quote, hub.config.baseUrl))
    return quoteStamp !== undefined && isStampedHere(hub, quoted, mid, quoteStamp);
  const writer = await findXchan(hub, { id: quoted.author_id });
  if (!writer) return false;
  if (quoteStamp !== undefined)
    return isStamp(hub, "quote", quoteStamp, { act: mid, about: quote, author: writer.xchan_hash });
  return !(await saysWhoQuotes(hub, quoted.id));
}

/** By the post as it came. */
async function saysWhoQuotes(hub: Hub, messageId: number): Promise<boolean> {
  const json = readJson(Buffer.from((await findCame(hub, messageId))?.document ?? ""));
  const node = "value" in json ? Node.of(json.value) : undefined;
  const post = node?.nodes("object")[0] ?? node;
  return post === undefined || policyOf(post).quote !== undefined;
}
