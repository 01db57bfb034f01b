/** An e-mail of the hub, in the words of whoever sends it; the hub lays it out, as text and as HTML. */
export type Mail = {
  to: string;
  /** Name of the site, which is shown as the sender. */
  site: string;
  subject: string;
  parts: readonly Part[];
  /** An address that ends such mails by one `POST` (RFC 8058). */
  unsubscribe?: string | undefined;
  /** In the stored form: it is not sent after that, because nobody has a use for it any more; three days when left out. */
  until?: string | undefined;
};

/** A paragraph, a heading, something to press, words of somebody's, or a line of a list that leads somewhere. */
export type Part =
  | string
  | { heading: string }
  | { button: string; href: string }
  | { quote: string }
  | { entry: string; href: string };
