import type { Hub } from "../../../hub.ts";
import type { NewTerm } from "../content.ts";
import { permitsMeta } from "../permits.ts";
import { quoteStampMark } from "../quote-stamps.ts";
import { answersElsewhere, unlisted } from "../save.ts";
import type { NewMeta } from "../save.ts";
import { askForMentioned } from "./ask-for-mentioned.ts";
import { believableDate } from "./dates.ts";
import type { Layout } from "./layout.ts";
import type { Unmatched } from "./mentioned.ts";
import type { Audience } from "./readers.ts";
import type { ReceivedPost } from "./received.ts";
import type { Decided } from "./spread.ts";
import { ensureMessage } from "./store-message.ts";
import type { Place, StoredMessage } from "./store-message.ts";

/** A post from elsewhere with all that is found out about it before its transactions. */
export type Whole = {
  post: ReceivedPost;
  layout: Layout;
  terms: NewTerm[];
  unmatched: readonly Unmatched[];
  audience: Audience;
};

/** Stores the message, if it is not here yet; part of a transaction. */
export function storing(
  { post, layout, terms, unmatched, audience }: Whole,
  place: Place,
): (hub: Hub) => Promise<StoredMessage> {
  return async (hub) => {
    const message = await ensureMessage(hub, post, layout, place, terms, metaOf(audience, post));
    await askForMentioned(hub, message.id, post.author, unmatched);
    return message;
  };
}

/** What is noted of a message besides its content. */
export function metaOf(
  { isUnlisted }: Pick<Audience, "isUnlisted">,
  { answers = 0, permits = {}, quoted, quoteStamp }: Partial<ReceivedPost> = {},
): NewMeta[] {
  return [
    ...(isUnlisted ? [unlisted] : []),
    ...(answers > 0 ? [{ ...answersElsewhere, v: String(answers) }] : []),
    ...permitsMeta(permits),
    ...(quoted && quoteStamp !== undefined ? [{ ...quoteStampMark, v: quoteStamp }] : []),
  ];
}

/** What its copies in a thread of this owner have in common. */
export function decidedBy(hub: Hub, { post, audience }: Whole, owner_id: number): Decided {
  return {
    author_id: post.author.xchan_id,
    owner_id,
    created: believableDate(hub, post.published),
    comment_policy: post.comments,
    item_private: audience.isPublic ? 0 : 1,
    item_notshown: 0,
  };
}
