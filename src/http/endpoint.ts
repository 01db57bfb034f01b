import type { z } from "zod";
import type { ErrorKind } from "../refusals/row.ts";
import type { Caller } from "../domain/identity/accounts/caller.ts";
import type { Hub } from "../hub.ts";
import type { Exchange, Format } from "./exchange.ts";
import type { Failure } from "./exchange.ts";
import type { Element } from "./xml.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Access = "public" | "channel";

/** `*` is every method of this list. */
const everyMethod: readonly Method[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

type CallerBy = { public: Caller | undefined; channel: Caller };

/** What an endpoint says in place of the face's own text, and with which status when that differs too. */
export type OwnText = string | readonly [status: number, text: string];

/** A form of answers that no other endpoint has. */
export type OwnForm = { type: string; write(value: unknown): string; writeFailure(failure: Failure): string };

type Common = {
  /**
   * Name below the face's prefix, such as `item/update`. Two rows may share it when their methods differ. A segment `:name`
   * stands for any one, whose text is the parameter of that name.
   */
  path: string;
  /** Other names with the same meaning. */
  aliases?: readonly string[];
  /** The parameter that one more segment of the path fills, if the endpoint takes one; it wins over the parameter. */
  pathId?: string;
  methods: readonly Method[] | "*";
  /** Methods where the name that the path goes by (`Exchange.alias`) takes others. */
  methodsAs?: Readonly<Record<string, readonly Method[] | "*">>;
  /** `channel`: only with credentials. A public endpoint takes them too, and wrong ones are refused all the same. */
  access: Access;
  /** One sentence for the reference. */
  summary: string;
  /** What it answers: names of the face's schemas (`Face.answers`), such as `Status`, `Status[]` or `Message | SoftResult`. */
  answer: string;
  /** Parameters of a request that shows what the endpoint is for, as a form would send them; all that it needs are there. */
  example?: Readonly<Record<string, string>>;
  /** It changes something: counted with the writes. */
  writes?: boolean;
  /** It only reads, and what those get who do not say who they are may be a second old. */
  mayBeStale?: true;
  /** It changes something also for a channel that has moved to another hub: it says what has been read, or is about the move. */
  whileMoved?: boolean;
  /** Not counted at all. */
  uncounted?: boolean;
  /** Only with the account's own password: no application, whatever its rights (native contract 1.9). */
  ownPassword?: boolean;
  /** Refused over plain HTTP, unless the site itself runs on it. */
  secure?: boolean;
  /** Signed by an application that asks for a token: one to ask somebody with, or the one that it gets then. */
  givesToken?: "request" | "access";
  /** Answers and failures have this form, whatever format the path asks for. */
  ownForm?: OwnForm;
  /** Answers are text of this type, as it comes from `present`, or events that go on until their reader leaves. */
  textType?: string;
  /** The token may stand in the query too: browsers have no other place for it where they read events. */
  tokenInQuery?: boolean;
  /** What an application with limited rights must hold. */
  permission?: string;
  /** What a bearer token must be good for, if there is one: any of these names. */
  scope?: string | readonly string[];
  /** With a bearer token of any kind, also one that stands for an application alone. */
  anyToken?: boolean;
  /** Applications show who they are in the request itself, so nobody is looked for. */
  provesApp?: boolean;
  /** Formats in place of the face's own list. */
  formats?: readonly Format[];
  /** Names of the multipart parts that are files; every other part is text, whatever its headers say. */
  files?: readonly string[];
  /** Parameters may hold a file in base64, so more than usual is read. */
  base64?: boolean;
  /** The parameter that holds a JSON body as a whole, whatever JSON value it is. */
  jsonBody?: string;
  /** The body is JSON whatever its type says. */
  alwaysJson?: boolean;
  /** Other names of single parameters. */
  otherNames?: Readonly<Record<string, readonly string[]>>;
  /**
   * The endpoint's own texts, by reason or kind; a reason goes first. They replace the text of whoever threw. `<n>` stands for
   * the size of what is too large; `broken` is what is said of a fault of the hub.
   */
  errors?: Readonly<Partial<Record<ErrorKind | (string & {}), OwnText>>>;
  /** Texts that stand in place of those where the name that the path goes by (`Exchange.alias`) has others. */
  errorsAs?: Readonly<Record<string, Common["errors"]>>;
  /** The endpoint's own names of parameters that whoever threw calls otherwise. */
  fields?: Readonly<Record<string, string>>;
};

/** An endpoint of a face. Everything about it stands here; see `endpoint`. */
export type Endpoint = Common & {
  input: z.ZodObject;
  handle(hub: Hub, caller: Caller | undefined, input: unknown, exchange: Exchange): unknown;
  present?(value: unknown, exchange: Exchange): unknown;
  headers?(value: unknown, exchange: Exchange): Record<string, string>;
  /** Name of the root element (the face turns the presented value into its children), or a function that makes the tree. */
  xml?: string | ((presented: never, exchange: Exchange) => Element);
};

type Row<A extends Access, S extends z.ZodObject, V> = Common & {
  access: A;
  /** An object of the face's parameter kinds; their names are the parameters. */
  input: S;
  /** Does the work: it gets checked input, returns a value or throws HubError, and sees neither request nor response. */
  handle(hub: Hub, caller: CallerBy[A], input: z.output<S>, exchange: Exchange): Promise<V> | V;
  /** Turns the value into what goes out; the value itself when left out. */
  present?(value: V, exchange: Exchange): unknown;
  /** Headers that follow from the value, such as Link. */
  headers?(value: V, exchange: Exchange): Record<string, string>;
  xml?: string | ((presented: never, exchange: Exchange) => Element);
};

/** One row of a face's table, with the types of input and value taken from the row itself. */
export function endpoint<A extends Access, S extends z.ZodObject, V>(row: Row<A, S, V>): Endpoint {
  return row;
}

/** The methods of a row under the name that was called; HEAD goes with GET. */
export function methodsOf(row: Endpoint, alias: string): readonly Method[] {
  const methods = row.methodsAs?.[alias] ?? row.methods;
  if (methods === "*") return everyMethod;
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}
