import type { PageContext } from "../page.ts";

/** What has just been done, by the name that a redirect carries; other names say nothing. */
const sentences: Record<string, string> = {
  welcome: "Welcome! This is your stream. Say hello to somebody.",
  posted: "Posted.",
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
  blocked: "Blocked. Nothing of theirs reaches you any more.",
  listed: "The list is taken over.",
  treated: "This is how it is treated from now on.",
  untreated: "Nothing is said of it any more.",
  forgotten: "What went wrong is forgotten.",
  unblocked: "Not blocked any more.",
  made: "Done.",
  switched: "You now act as this channel.",
  password: "Your password is changed.",
  seen: "All caught up.",
  filed: "Saved to the folder. Its thread stays in your stream.",
  unfiled: "Taken out of the folder.",
  tagged: "The tag is added.",
  untagged: "The tag is removed.",
  voted: "Your vote counts.",
  follows: "You get notices of this thread.",
  unfollowed: "No more notices of this thread, except when somebody mentions you.",
  closed: "The thread takes no more comments.",
  opened: "The thread takes comments again.",
  hidden: "Nobody sees it any more. You can show it again under Moderation.",
  waits: "Your comment waits until the owner of the post lets it in.",
  letin: "The comment is in.",
  shown: "It is there for everybody again.",
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
export function doneSentence(context: PageContext): string | undefined {
  const name = context.query.text("done");
  return Object.hasOwn(sentences, name) ? sentences[name] : undefined;
}
