import type { HubError } from "../errors.ts";
import type { Code, refusals } from "./refusals.ts";
import type { Row } from "./row.ts";
import { storedJson } from "../stored-json.ts";

type Message<D> = string | ((data: D) => string);

/** Words for each refusal of a table, or a function that makes them of what goes with it. */
export type Messages<T> = { readonly [C in keyof T]: T[C] extends Row<infer D> ? Message<D> : never };

/** What goes out for an error that was thrown on purpose: what `messages` say of it, or the words that it brought along. */
export function messageOf(messages: Messages<typeof refusals>, { code, data, message }: HubError): string {
  return code === undefined ? message : say(messages, code, data);
}

function say(messages: Messages<typeof refusals>, code: Code, data: object): string {
  const words = messages[code] as Message<object>;
  return typeof words === "string" ? words : words(data);
}

/** An error in the form in which reports keep it, for `messageOfKept`. */
export function keptForm({ code, data, message }: HubError): string {
  return code === undefined ? message : JSON.stringify({ code, data });
}

/** What is said of an error that a report has kept; earlier versions kept the words. */
export function messageOfKept(messages: Messages<typeof refusals>, kept: string): string {
  if (!kept.startsWith('{"code":')) return kept;
  const { code, data } = storedJson<{ code: string; data: object }>(kept);
  return Object.hasOwn(messages, code) ? say(messages, code as Code, data) : code;
}
