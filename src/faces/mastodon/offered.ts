/** Limits that applications are told (Mastodon contract 11.26). */

/** Files of a post. */
export const mostMedia = 32;

/** Of what is shown in a picture, in characters. */
export const longestDescription = 1500;

/** What is no file of its author on this hub has an id that no file ever gets (mastodon contract 11.5). */
export const firstOfOthers = 2 ** 52;

/** Of a poll. */
export const polls = {
  max_options: 20,
  max_characters_per_option: 200,
  min_expiration: 300,
  max_expiration: 2_629_746,
} as const;

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
