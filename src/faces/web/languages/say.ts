import { IntlMessageFormat } from "intl-messageformat";
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { MarkedArguments, PlainArguments, TextKey, UsualTag } from "./messages.ts";

/** Says texts in one language, by their names. */
export type Say = {
  /** A text, or plain text for a place where no markup may be. */
  <K extends TextKey>(key: K, ...values: PlainArguments<K>): string;
  /** The same with markup in it: what is given for a tag makes HTML of its words; everything else is escaped. */
  html<K extends TextKey>(key: K, ...values: MarkedArguments<K>): Html;
};

type Values = Readonly<Record<string, unknown>>;
type Tag = (words: Html) => Html;

/** `messageOf` finds a text in the ICU format; `locale` decides about plurals and numbers. */
export function sayIn(locale: string, messageOf: (key: string) => string): Say {
  const known = new Map<string, string | IntlMessageFormat>();
  const find = (key: string): string | IntlMessageFormat => {
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = prepared(messageOf(key), locale)));
    return found;
  };
  const plain = (key: string, values?: Values): string => {
    const found = find(key);
    return typeof found === "string" ? found : String(found.format(values as Record<string, string>));
  };
  const marked = (key: string, values: Values = {}): Html => {
    const found = find(key);
    if (typeof found === "string") return html`${found}`;
    const parts = found.formatToParts<unknown>({ ...usualTags, ...withTags(values) });
    return html`${parts.map(({ value }) => value)}`;
  };
  return Object.assign(plain, { html: marked }) as Say;
}

/** Most texts have nothing to fill in: looking them up is all that they cost. */
function prepared(message: string, locale: string): string | IntlMessageFormat {
  return /[{<]/.test(message) ? new IntlMessageFormat(message, locale) : message;
}

function withTags(values: Values): Record<string, unknown> {
  const given = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "function" ? around(value as Tag) : value,
  ]);
  return Object.fromEntries(given) as Record<string, unknown>;
}

/** A tag as the formatter wants it. */
function around(tag: Tag): (parts: unknown[]) => Html {
  return (parts) => tag(html`${parts}`);
}

const usualTags: Readonly<Record<UsualTag, (parts: unknown[]) => Html>> = {
  strong: around((words) => html`<strong>${words}</strong>`),
  em: around((words) => html`<em>${words}</em>`),
  code: around((words) => html`<code>${words}</code>`),
  kbd: around((words) => html`<kbd>${words}</kbd>`),
  small: around((words) => html`<small>${words}</small>`),
};

/** For a tag around what only those hear to whom the page is read out. */
export const unseen: Tag = (words) => html`<span class="unseen">${words}</span>`;

/** For a tag that is a link. */
export function linkTo(href: string): Tag {
  return (words) => html`<a href="${href}">${words}</a>`;
}

/** For a tag that is a link to somebody else's page. */
export function linkAway(href: string): Tag {
  return (words) => html`<a href="${href}" rel="nofollow noopener">${words}</a>`;
}
