/** Limits that applications are told (Mastodon contract 11.26). */

/** Files of a post. */
export const mostMedia = 32;

/** Formats of texts. */
export const mimetypes: readonly string[] = ["text/plain", "text/bbcode", "text/markdown", "text/html"];

/** Files that the hub shows as what they are. */
export const imageTypes: readonly string[] = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "image/avif",
  "video/mp4",
  "video/webm",
  "video/quicktime",
  "audio/mpeg",
  "audio/ogg",
  "audio/mp4",
  "audio/flac",
];
