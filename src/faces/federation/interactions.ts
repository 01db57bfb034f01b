import type { Interaction } from "../../domain/items/approvals.ts";

/** The words for what needs the consent of whoever wrote a post: to ask for it, the stamp, and where that stands (federation contract 7). */
type Words = { request: string; stamp: string; bears: string };

export const interactions: Readonly<Record<Interaction, Words>> = {
  quote: { request: "QuoteRequest", stamp: "QuoteAuthorization", bears: "quoteAuthorization" },
  reply: { request: "ReplyRequest", stamp: "ReplyAuthorization", bears: "replyAuthorization" },
  like: { request: "LikeRequest", stamp: "LikeAuthorization", bears: "likeAuthorization" },
  share: { request: "AnnounceRequest", stamp: "AnnounceAuthorization", bears: "announceAuthorization" },
};

/** Does an activity of this type ask for consent? */
export function isRequest(type: string): boolean {
  return Object.values(interactions).some(({ request }) => request === type);
}
