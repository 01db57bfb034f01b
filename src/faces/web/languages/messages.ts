import type { Html } from "../html.ts";
import type { english } from "./english.ts";

/** What the English catalogues say about keys and arguments, as types. */

type Catalogues = typeof english;
type Area = keyof Catalogues;

/** The name of a text: its area and its key there. */
export type TextKey = { [A in Area]: `${A}.${keyof Catalogues[A] & string}` }[Area];

type MessageOf<K extends TextKey> = K extends `${infer A}.${infer Name}`
  ? A extends Area
    ? Name extends keyof Catalogues[A]
      ? Catalogues[A][Name] & string
      : never
    : never
  : never;

/**
 * The arguments of a message in the braces that are left of it, each with what it is. `Around` has a letter for each pair of braces
 * that is open: c where choices are listed, m in the message of a choice.
 */
type InBraces<Left extends string, Around extends string = ""> = Left extends `${infer Before}}${infer Behind}`
  ? Before extends `${string}{${string}`
    ? Left extends `${string}{${infer Inside}`
      ? Around extends `c${string}`
        ? InBraces<Inside, `m${Around}`>
        : Argument<Inside, Around>
      : never
    : Around extends `${"c" | "m"}${infer Rest}`
      ? InBraces<Behind, Rest>
      : never
  : never;

type Argument<Inside extends string, Around extends string> = Inside extends `${infer Name}}${infer Behind}`
  ? Name extends `${infer Chosen}, ${infer Kind}, ${string}`
    ?
        | [Chosen, Kind extends "select" ? string : number]
        | (Inside extends `${string}, ${string}, ${infer Choices}` ? InBraces<Choices, `c${Around}`> : never)
    : [Name, string | number] | InBraces<Behind, Around>
  : never;

/** The tags of a message. */
type InTags<M extends string> = M extends `${string}<${infer Tag}>${infer Behind}`
  ? (Tag extends `/${string}` ? never : Tag) | InTags<Behind>
  : never;

/** Tags that need nothing said of them. */
export type UsualTag = "strong" | "em" | "code" | "kbd" | "small";

type Arguments<M extends string> = InBraces<M> extends infer Found extends [string, unknown] ? Found : never;

type Plain<M extends string> = { [Found in Arguments<M> as Found[0]]: Found[1] } & { [Tag in InTags<M>]: never };

type Marked<M extends string> = { [Found in Arguments<M> as Found[0]]: Found[1] | Html } & {
  [Tag in Exclude<InTags<M>, UsualTag>]: (words: Html) => Html;
};

type Given<Values> = keyof Values extends never ? [] : [values: Values];

/** What a text needs that goes out as plain text: no argument is left out, and none is too many. */
export type PlainArguments<K extends TextKey> = Given<Plain<MessageOf<K>>>;

/** What a text needs that has markup: a function for each tag. */
export type MarkedArguments<K extends TextKey> = Given<Marked<MessageOf<K>>>;
