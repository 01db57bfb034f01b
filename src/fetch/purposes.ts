import type { Purpose } from "./fetch.ts";

export type Limits = {
  /** Seconds for all of it: every hop and the whole answer. None where whoever asks says how long (`signal`). */
  seconds?: number;
  /** Bytes of the answer, after unpacking. None where whoever asks counts them. */
  bytes?: number;
  /** The answer is read before anybody gets it, so that it can be given to several. */
  whole?: true;
  /** What is over the limit is cut off: the beginning counts. */
  cut?: true;
  /** Seconds until the headers of the answer are there, or until the other side takes more of what is sent. */
  patience?: number;
  /** The status counts: nobody gets the rest of the answer. */
  unread?: true;
};

const mebibyte = 1024 * 1024;

/** Federation contract 10. Imports and archives take gigabytes from or to where their owner says, and count for themselves. */
export const limitsOf: Readonly<Record<Purpose, Limits>> = {
  document: { seconds: 30, bytes: mebibyte, whole: true },
  // What a page says of itself stands at its beginning.
  page: { seconds: 30, bytes: mebibyte, whole: true, cut: true },
  media: { seconds: 30, bytes: 200 * mebibyte },
  delivery: { seconds: 20, bytes: 64 * 1024, unread: true },
  import: {},
  // Disks of others are slow to say that they have stored what is large.
  archive: { patience: 60 },
};

/** Seconds until the connection stands, looking up the name included; then until the headers of the answer are there. */
export const connectSeconds = 5;
export const headerSeconds = 10;

/** No honest text is packed better. */
export const mostTimesPacked = 20;

export const mostRedirects = 3;
