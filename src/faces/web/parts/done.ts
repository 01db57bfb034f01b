import type { Visit } from "../page.ts";

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
  approved: "The request is approved.",
  refused: "The request is refused.",
  removed: "Removed.",
  made: "Done.",
  switched: "You now act as this channel.",
  password: "Your password is changed. Other browsers are logged out.",
  seen: "All caught up.",
  out: "You are logged out.",
};

/** The sentence about what has just been done. */
export function doneSentence(visit: Visit): string | undefined {
  const name = visit.query.text("done");
  return Object.hasOwn(sentences, name) ? sentences[name] : undefined;
}
