import { html } from "hono/html";
import type { Html } from "../page.ts";
import { icon } from "./icons.ts";

/** What has just been done, by the name that a redirect carries; other names say nothing. */
const sentences: Record<string, string> = {
  welcome: "Welcome! This is your stream. Say hello to somebody.",
  posted: "Posted.",
  kept: "Your draft is saved.",
  delayed: "It waits for its date. Nobody sees it until then.",
  commented: "Your comment is in.",
  edited: "Your changes are saved.",
  deleted: "Deleted.",
  shared: "Shared with everybody who sees your posts.",
  saved: "Saved.",
  connected: "You are connected.",
  asked: "Your request is on its way.",
  withdrawn: "Your request is taken back.",
  unfollowing: "Their new posts do not come to your stream any more. They still read you.",
  approved: "The request is approved.",
  refused: "The request is refused.",
  removed: "Removed.",
  dismissed: "They are not suggested any more.",
  blocked: "Blocked. Nothing of theirs reaches you any more.",
  listed: "The list is taken over.",
  stopped: "It is stopped. What was done stays.",
  treated: "This is how it is treated from now on.",
  untreated: "Nothing is said of it any more.",
  forgotten: "What went wrong is forgotten.",
  tried: "It is tried again.",
  emptying: "The copies are being removed.",
  dropped: "It is given up.",
  hostblocked: "Nothing from there reaches you any more.",
  unblocked: "Not blocked any more.",
  muted: "Muted. Nothing of theirs comes to your stream.",
  unmuted: "Not muted any more.",
  noreader: "They do not read you any more.",
  made: "Done.",
  switched: "You now act as this channel.",
  password: "Your password is changed.",
  seen: "All caught up.",
  filed: "Saved to the folder. Its thread stays in your stream.",
  unfiled: "Taken out of the folder.",
  tagged: "The tag is added.",
  untagged: "The tag is removed.",
  voted: "Your vote counts.",
  tagfollowed: "You follow this hashtag. New posts with it come into your stream.",
  tagleft: "You don't follow this hashtag any more.",
  follows: "You get notices of this thread.",
  unfollowed: "No more notices of this thread, except when somebody mentions you.",
  fetching: "What is missing is being fetched. Look again in a while.",
  closed: "The thread takes no more comments.",
  opened: "The thread takes comments again.",
  pinned: "It is on top of your page.",
  unpinned: "It is no longer on top of your page.",
  hidden: "Nobody sees it any more. You can show it again under Moderation.",
  waits: "Your comment waits until the owner of the post lets it in.",
  letin: "The comment is in.",
  shown: "It is there for everybody again.",
  moved: "Your followers are told where you are now.",
  reported: "Thank you. Those who run this hub will look at it.",
  dealt: "The report is closed.",
  noted: "It is in your calendar.",
  sent: "Sent.",
  unread: "The message is marked as unread.",
  unnoticed: "It is marked as unread.",
  recalled: "The message is taken back.",
  revoked: "The application cannot act as you any more.",
  ended: "That browser is logged out.",
  out: "You are logged out.",
};

/** The sentence about what has just been done. */
export function doneNote(name: string): Html {
  const sentence = Object.hasOwn(sentences, name) ? sentences[name] : undefined;
  return sentence === undefined
    ? html``
    : html`<p class="done" id="done" role="status">${icon("check")} ${sentence}</p>`;
}
