import type { Observer } from "../../domain/identity/channels/observer.ts";
import type { Guest } from "../../domain/identity/channels/guests.ts";
import type { Session } from "../../domain/identity/accounts/sessions.ts";
import type { SiteSettings } from "../../domain/identity/site/site-settings.ts";
import type { Hub } from "../../hub.ts";
import type { Packing } from "../../http/packing.ts";
import type { Reference } from "../../http/reference/reference.ts";
import type { Fault } from "./faults.ts";
import type { Fields } from "./fields.ts";
import type { Language } from "./languages/languages.ts";
import type { Say } from "./languages/say.ts";

export type { Html } from "./html.ts";

/** Somebody who is logged in, acting as one channel. */
export type Member = Session & { token: string };

/** One request for a page: what loaders and templates know about it. */
export type PageContext = {
  hub: Hub;
  site: SiteSettings;
  /** The address of the folder with the files for browsers. */
  assets: string;
  /** The APIs of the hub, as people read about them. */
  reference: () => Promise<readonly Reference[]>;
  /** Names the request in the log and in the answer. */
  id: string;
  /** When it came. */
  now: Date;
  /** Said of a part of the page that follows from `now`: until when (milliseconds) it stays the same. */
  lasts: (until: number) => void;
  method: string;
  /** Path and query as they came; where a form leads back to. */
  here: string;
  path: string;
  /** Path and query of the page on which a form was; empty where the browser does not say, or it is none of ours. */
  from: string;
  /** Parts of the path, by their names in the page's row. */
  params: Readonly<Record<string, string>>;
  query: Fields;
  member: Member | undefined;
  /** Somebody without a log-in whom a channel has let in. */
  guest: Guest | undefined;
  observer: Observer;
  /** Which language the visitor reads, and texts in it. */
  language: Language;
  say: Say;
  /** Network address, for throttling. */
  address: string;
  /** What the browser keeps of earlier log-ins. */
  device: string;
  /** What its owner calls the browser. */
  browser: string;
  /** The path as the log shows it: without what is secret in it. */
  logged: string;
  /** The languages that the browser asks for. */
  acceptLanguage: string;
  /** Versions that the browser has already. */
  ifNoneMatch: string;
  ifModifiedSince: string;
  /** It reads events as they come, by itself. */
  readsEvents: boolean;
  /** The last event that it has had of those that come by themselves. */
  lastEventId: string;
  /** The part of a file that it asks for, and the version that this part belongs to. */
  range: string;
  ifRange: string;
  /** Does the hub refuse a form that is sent to this path, or does a link to it lead to such a form alone? */
  refuses: (path: string, what: "form" | "link") => boolean;
  /** How its answer may be packed. */
  packing: Packing | undefined;
  /** The page itself asks (htmx), and puts a part of the answer in the place of what it has. */
  inPlace: boolean;
  /** How the open page that asks is called, as it says itself; empty where it does not. */
  openPage: string;
  /** What every form carries. */
  formToken: string;
  /** Sets the cookie that a visitor's token belongs to; only pages with a form send it. */
  visitorCookie: string | undefined;
  /** Cookies that the answer sets. */
  cookies: string[];
};

export type MemberContext = PageContext & { member: Member };

/** Is somebody logged in? */
export function isMember(context: PageContext): context is MemberContext {
  return context.member !== undefined;
}

type Loader<V> = (context: V) => Promise<Response> | Response;
type Taker<V> = (context: V, form: Fields) => Promise<Response> | Response;

type Row<Access extends string, Reader, Writer = Reader> = {
  path: string;
  access: Access;
  get?: Loader<Reader>;
  post?: Taker<Writer>;
  /** Shows its form once more with what was typed, and why that was not taken: for text that must not get lost. */
  again?: (context: Writer, typed: Fields, fault: Fault) => Promise<Response>;
  /** Its form is about more than the channel, or says what has been read, so it is taken from one that has moved to another hub, too. */
  whileMoved?: boolean;
  /** Its form is about the log-in, so it is taken whichever channel of the account it was opened as. */
  asAnyChannel?: true;
  /** It is there for its form, so nothing leads to it where that is refused. */
  onlyForm?: true;
  /** Its address has a secret that nobody else knows, so its form carries no token: programs send it, too. */
  sentByLink?: true;
  /** Names of the parts of its form that are files. */
  files?: readonly string[];
  /**
   * What strangers see of it follows from its address, the database and the moment alone, so it is kept for the next one
   * (kept-pages.ts).
   */
  kept?: true;
  /** What strangers see of it may be a second old, and looking changes nothing. */
  mayBeStale?: true;
};

/** One page: its address, who may come, what it shows and what its form does. */
export type Page =
  | Row<"anybody", PageContext>
  /** Anybody may look, and its form is for members. */
  | Row<"reader", PageContext, MemberContext>
  | Row<"member" | "administrator", MemberContext>;
