/** What each scope lets an application do, in words (Mastodon contract 9.6); the wide ones stand for all of theirs. */
const rights: Readonly<Record<string, string>> = {
  profile: "see who you are",
  read: "read everything that you can read: posts, threads, private messages, notifications, people and your groups",
  "read:accounts": "see people and your profile",
  "read:statuses": "read your posts, threads and private messages",
  "read:notifications": "read your notifications",
  "read:lists": "see your groups and who is in them",
  "read:follows": "see your connections",
  "read:blocks": "see whom you block",
  "read:mutes": "see whom you ignore",
  "read:filters": "see which words you filter",
  "read:favourites": "see what you like",
  "read:bookmarks": "see your bookmarks",
  "read:search": "search in your name",
  write:
    "post, answer and delete in your name, upload files, like and bookmark, connect you with people, block and ignore, change your profile, and change your groups, which decides who sees past posts of them",
  "write:statuses": "post, answer and delete in your name",
  "write:media": "upload files",
  "write:favourites": "like posts in your name",
  "write:bookmarks": "change your bookmarks",
  "write:follows": "connect you with people, who then get what new connections get",
  "write:blocks": "block people",
  "write:mutes": "ignore people and threads",
  "write:lists": "change your groups, which decides who sees past posts of them",
  "write:accounts": "change your profile",
  "write:notifications": "clear your notifications",
  "write:conversations": "mark and delete your conversations",
  "write:filters": "change which words you filter",
  "write:reports": "report people in your name",
  follow: "connect you with people, block and ignore, and see whom",
  push: "send you notifications",
};

/** The rights of these scopes, each in words. */
export function rightsOf(scopes: readonly string[]): string[] {
  return scopes.map((scope) => rights[scope] ?? scope);
}
