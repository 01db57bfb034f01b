/** A feed, before it is written as Atom or RSS. Dates are in the stored form. */
export type Feed = {
  /** Its own address, which is also its id. */
  self: string;
  /** The page that shows the same to people. */
  page: string;
  title: string;
  description: string;
  /** Address of a picture; may be empty. */
  image: string;
  updated: string;
  /** Address of the next part, where there is one. */
  next?: string | undefined;
  entries: readonly FeedEntry[];
};

export type FeedEntry = {
  /** Never changes and names nothing else in the world. */
  id: string;
  title: string;
  /** What it is about, or a warning; may be empty. */
  summary: string;
  text: string;
  html: string;
  published: string;
  updated: string;
  /** Its page; may be empty. */
  link: string;
  author: { nick: string; name: string; url: string; avatar: string };
};

/** The newest of the dates; where there is none, a date that does not move. */
export function newestOf(dates: readonly string[]): string {
  return dates.reduce((newest, date) => (date > newest ? date : newest), "1970-01-01 00:00:00");
}

/** The lasting name of an item of this hub. */
export function feedEntryId(host: string, created: string, id: number): string {
  // Of an address with a port only the name may stand here (RFC 4151).
  return `tag:${host.replace(/:\d+$/, "")},${created.slice(0, 10)}:${id}`;
}
