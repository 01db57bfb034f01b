import type { RoleName } from "../../../../domain/identity/channels/roles.ts";

/** Roles in words. */
export const roleChoices: readonly (readonly [RoleName, string, string])[] = [
  ["social", "Social", "Public at first; you approve connections."],
  ["social_restricted", "Social, among friends", "Posts go to the group Friends at first."],
  [
    "social_private",
    "Social, private",
    "As above, and hidden from the directory; only connections see your connections and photos.",
  ],
  ["forum", "Forum", "Everybody may join; members post to all by mentioning it."],
  ["forum_restricted", "Forum, by approval", "You approve members; posts go to members."],
  ["forum_private", "Forum, private", "You approve members, and only they see who and what it is."],
  ["feed", "Feed", "For news: everybody may follow and comment."],
  ["feed_restricted", "Feed, by approval", "For news to people you approve."],
  ["soapbox", "Soapbox", "You speak; others follow, but do not comment."],
  ["repository", "Repository", "Files and pages that members may change."],
  ["custom", "Custom", "You set every permission yourself, person by person."],
];
