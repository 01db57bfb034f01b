import { deleteActor, updateActor } from "./actor.ts";
import { deletePost, takenOut } from "./delete.ts";
import { block, blockUndone, follow, followAccepted, followRejected, followUndone } from "./follow.ts";
import { receiveFlag } from "./flag.ts";
import { consentGiven, consentRefused, consentRevoked } from "./consents.ts";
import { addEnclosed, announceEnclosed, handedBack } from "./enclosed.ts";
import { firstOf } from "./incoming.ts";
import type { Effect } from "./incoming.ts";
import { move } from "./move.ts";
import { pinned, unpinned } from "./pins.ts";
import { createPost, updatePost } from "./posts.ts";
import { quoteAccepted, quoteRefused, stampRevoked } from "./quotations.ts";
import { attend, join, leave, react } from "./reactions.ts";
import { likeRequested, quoteRequested, replyRequested, shareRequested } from "./requests.ts";
import { sharePost } from "./share.ts";
import { undoDeed } from "./undo.ts";

/** What activities do here, by their type (federation contract 4.3); all other types do nothing. */
export const effects: Readonly<Record<string, Effect>> = {
  Accept: firstOf(followAccepted, quoteAccepted, consentGiven, attend),
  Add: firstOf(pinned, handedBack, addEnclosed),
  Announce: firstOf(handedBack, announceEnclosed, sharePost),
  AnnounceRequest: shareRequested,
  Block: block,
  Create: createPost,
  Delete: firstOf(deleteActor, stampRevoked, consentRevoked, deletePost),
  Dislike: react,
  EmojiReact: react,
  Flag: firstOf(receiveFlag),
  Follow: follow,
  Invite: createPost,
  Join: join,
  Leave: leave,
  Like: react,
  LikeRequest: likeRequested,
  Move: move,
  QuoteRequest: quoteRequested,
  Reject: firstOf(followRejected, quoteRefused, consentRefused, attend),
  Remove: firstOf(unpinned, takenOut),
  ReplyRequest: replyRequested,
  TentativeAccept: react,
  Undo: firstOf(followUndone, blockUndone, undoDeed),
  Update: firstOf(updateActor, updatePost),
};
