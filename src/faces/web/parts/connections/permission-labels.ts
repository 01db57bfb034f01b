import type { PermissionName } from "../../../../domain/identity/channels/roles.ts";

/** Permissions in words for the one who grants them. */
export const permissionWords: Record<PermissionName, string> = {
  view_stream: "Read your posts",
  send_stream: "Send you their posts",
  view_profile: "See your profile",
  view_contacts: "See your connections",
  view_storage: "See your files and photos",
  write_storage: "Upload files and photos",
  view_pages: "See your web pages",
  view_wiki: "Read your wikis",
  write_pages: "Edit your web pages",
  write_wiki: "Edit your wikis",
  post_wall: "Write on your wall",
  post_comments: "Comment and react",
  post_mail: "Send you messages",
  post_like: "Like your profile",
  tag_deliver: "Reach your connections by mentioning you",
  chat: "Chat with you",
  republish: "Republish your public posts",
  delegate: "Administer the channel",
};
