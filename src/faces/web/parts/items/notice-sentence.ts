import { reactionOf, reactionSentence } from "../../../../domain/items/vocabulary.ts";
import type { NoticeKind } from "../../../../domain/notifications/kinds.ts";
import type { KnownNotice } from "../../../../domain/notifications/stored.ts";

/** What a notice says on pages, in plain text. */
export function noticeSentence(notice: KnownNotice): string {
  const says = sentences[notice.kind];
  return `${notice.actor.name} ${typeof says === "string" ? says : says(notice)}`;
}

const sentences: Record<NoticeKind, string | ((notice: KnownNotice) => string)> = {
  request: "would like to connect with you",
  follower: "has connected with you",
  confirmed: "has confirmed the connection with you",
  declined: "has declined the connection with you",
  wall: "wrote a post on your wall",
  comment: "commented on a post",
  held: ({ count }) =>
    count === 1
      ? "commented on a post; the comment waits for you"
      : `commented on a post; ${count} new comments wait for you`,
  mail: "sent you a message",
  mention: "mentioned you in a post",
  tag: "tagged a post",
  reaction: ({ verb }) => `${reactionSentence(reactionOf(verb) ?? "")} a post`,
  share: "shared your post",
};
