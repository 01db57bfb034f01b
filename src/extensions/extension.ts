/**
 * What a package of somebody's own adds to the hub: this module is all that it needs to know of it, and the only one that it may
 * import (`hubbub-social/extension`). docs/extensions.md tells how to write one.
 */

/** The version of what stands here; an extension says which one it was written for. */
export const interfaceVersion = 1;

/** What a package adds, as the default export of its module. */
export type Extension = {
  /** The version of this interface that it was written for. */
  readonly interface: typeof interfaceVersion;
  /** Lower-case letters, digits and hyphens. Commands, jobs, pages and settings have it before their own names. */
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  readonly commands?: readonly ExtensionCommand[];
  readonly jobs?: readonly ExtensionJob[];
  readonly pages?: readonly ExtensionPage[];
  /** Styles of its pages, in which the class `x-NAME` is around everything. They load nothing. */
  readonly styles?: string;
  readonly themes?: readonly Theme[];
};

/** `hubbub x-NAME COMMAND`. */
export type ExtensionCommand = {
  readonly name: string;
  readonly summary: string;
  /** Name and meaning of each argument, in order. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Name and meaning of each option; `value` names what follows it, and without one it is a switch. */
  readonly options?: Readonly<Record<string, { meaning: string; value?: string; required?: boolean }>>;
  /** Does the work and answers what --json prints. */
  readonly run: (tools: Tools, input: Readonly<Record<string, string | boolean | undefined>>) => Promise<unknown>;
  /** The answer for people; without it they read JSON. */
  readonly print?: (answer: never) => string;
};

/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Work for later, or again and again. It may run twice, and is tried again when it throws. */
export type ExtensionJob = {
  readonly name: string;
  /** Seconds between two runs of a job that nobody adds, at least 60. Its payload is null. */
  readonly every?: number;
  readonly run: (tools: Tools, payload: Json) => Promise<void>;
};

/** A page at /x/NAME/PATH. */
export type ExtensionPage = {
  /** Parts with slashes between them; a part that begins with a colon stands for anything. Empty: /x/NAME itself. */
  readonly path: string;
  /**
   * Who may come: everybody, guests among them; everybody to look, and members to send its form; members; administrators. Others
   * are asked to log in, or get the answer for what does not exist.
   */
  readonly access: "anybody" | "reader" | "member" | "administrator";
  /** The words by which the menu of those who may come names it. */
  readonly menu?: string;
  readonly get?: (page: PageTools) => Promise<PageAnswer>;
  /** Takes its form, which has `page.token` in it. */
  readonly post?: (page: PageTools, form: Typed) => Promise<PageAnswer>;
};

/** A page, another page of the hub to go to (`saved` has it say so), or nothing: then it does not exist. */
export type PageAnswer =
  | { readonly title: string; readonly main: Html; readonly status?: number }
  | { readonly redirect: string; readonly saved?: boolean }
  | undefined;

/** Custom properties by their names (docs/themes.md), in the light and in the dark. */
export type Theme = {
  readonly name: string;
  /** What administrators read where they choose it. */
  readonly label: string;
  readonly light: Readonly<Record<string, string>>;
  readonly dark: Readonly<Record<string, string>>;
};

/** A finished piece of HTML. */
export type Html = Markup | Promise<Markup>;
type Markup = { readonly isEscaped: true; toString(): string };

/** A channel of this hub. */
export type Channel = {
  readonly nick: string;
  readonly name: string;
  /** `nick@host` */
  readonly address: string;
  readonly url: string;
  readonly timezone: string;
};

/** Whoever looks. What they may not see is not there for them. */
export type Reader = {
  readonly kind: "member" | "guest" | "elsewhere" | "stranger";
  readonly channel: Channel | undefined;
};

export type Post = {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** What it says, without its form. */
  readonly text: string;
  readonly written: Date;
  readonly isPrivate: boolean;
};

export type NewPost = {
  /** Markdown. */
  readonly text: string;
  readonly title?: string;
  /** As the channel usually posts, everybody, or nobody but the channel itself. */
  readonly for: "usual" | "everybody" | "self";
};

/** Texts by keys of up to 200 letters, digits and signs; nobody else reads or writes them. */
export type Settings = {
  get(key: string): Promise<string | undefined>;
  all(): Promise<Map<string, string>>;
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
};

/** What an extension can do. */
export type Tools = {
  /** Public address of the hub without a slash at its end. */
  readonly baseUrl: string;
  now(): Date;
  /** Lines of the hub's log; `{name}` in a message stands for a value. Values whose names say that they are secret stay out. */
  readonly log: Record<
    "debug" | "info" | "warning" | "error",
    (message: string, values?: Record<string, unknown>) => void
  >;
  /** Asks another server, never one of a private network, and reads a megabyte at most. */
  fetch(url: string, options?: FetchOptions): Promise<Response>;
  /** Its settings of the hub. */
  readonly settings: Settings;
  /** Its settings of a channel, which move and end with that. */
  settingsOf(channel: Channel): Settings;
  /** A channel of this hub by its nick. */
  channel(nick: string): Promise<Channel | undefined>;
  /** The channel as the one who looks. */
  readerOf(channel: Channel): Reader;
  /** Somebody without a log-in. */
  stranger(): Promise<Reader>;
  /** Posts on the wall of a channel that the reader may see, the newest first. */
  posts(reader: Reader, wall: Channel, range?: { since?: Date; until?: Date; count?: number }): Promise<Post[]>;
  /** Writes a post of the channel. */
  post(channel: Channel, post: NewPost): Promise<Post>;
  /** Adds a job of its own, in the unit of work if there is one. At most one waiting job of a key exists. */
  addJob(name: string, payload?: Json, options?: { at?: Date; key?: string }): Promise<void>;
  /**
   * One unit of work: what is done with the tools that the work gets is done together, or not at all. It may run several times,
   * so it changes nothing else, and asks no other server.
   */
  together<T>(work: (tools: Tools) => Promise<T>): Promise<T>;
};

export type FetchOptions = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
};

/** What was typed: a query or a form. */
export type Typed = {
  /** The text under that name; empty when there is none. */
  text(name: string): string;
  /** Every text under that name that is not empty. */
  all(name: string): string[];
  /** A box that was ticked, or a parameter that is there and not empty. */
  has(name: string): boolean;
};

/** One request for a page. */
export type PageTools = Tools & {
  /** Makes HTML of a template; whatever is put into it is escaped unless it is HTML itself. */
  html(strings: TemplateStringsArray, ...values: unknown[]): Html;
  readonly path: string;
  /** Parts of the path, by their names in the page's row. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Typed;
  /** The language of the page, such as `de`. */
  readonly language: string;
  /** Whoever looks; their channel where they are logged in. */
  readonly reader: Reader;
  /** The hidden field that each form carries. */
  readonly token: Html;
  /** A date in the language and on the clock of the reader. */
  time(date: Date): Html;
  /** Posts as the hub shows them everywhere. */
  cards(posts: readonly Post[]): Promise<Html>;
};
