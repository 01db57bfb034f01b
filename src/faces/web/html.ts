import { ByteWriter } from "../../http/byte-writer.ts";

type Part = string | Markup;

/** HTML as its templates have put it together: joined once, when it is sent, since a page has thousands of small parts. */
export class Markup {
  /** Templates of other makers know it by this, too. */
  readonly isEscaped = true;
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  toString(): string {
    return this.#parts.join("");
  }

  /** As it goes over the line. */
  bytes(): Buffer<ArrayBuffer> {
    const writer = new ByteWriter();
    this.#write(writer);
    return writer.written();
  }

  #write(writer: ByteWriter): void {
    for (const part of this.#parts) {
      if (typeof part === "string") writer.text(part);
      else part.#write(writer);
    }
  }
}

/** A finished piece of HTML: everything that is not one gets escaped. */
export type Html = Markup | Promise<Markup>;

/** Text that is HTML already. */
export function raw(text: string): Markup {
  return new Markup([text]);
}

const unindented = new WeakMap<TemplateStringsArray, readonly string[]>();

/**
 * A template of HTML. What is nothing, true or false is left out, lists are put in a row, and promises are waited for. Of what
 * separates its own lines only the break goes out, which means the same to browsers.
 */
export function html(written: TemplateStringsArray, ...values: unknown[]): Html {
  let fixed = unindented.get(written);
  if (!fixed) unindented.set(written, (fixed = written.map((part) => part.replace(/\s*\n\s*/g, "\n"))));
  return joined(fixed, values) ?? whenReady(fixed, values);
}

async function whenReady(fixed: readonly string[], values: readonly unknown[]): Promise<Markup> {
  return joined(fixed, await Promise.all(values.map(ready)))!;
}

function ready(value: unknown): unknown {
  return Array.isArray(value) ? Promise.all(value.map(ready)) : value;
}

/** Undefined where something has to be waited for. */
function joined(fixed: readonly string[], values: readonly unknown[]): Markup | undefined {
  const parts: Part[] = [];
  for (const [place, text] of fixed.entries()) {
    parts.push(text);
    if (place < values.length && !add(parts, values[place])) return undefined;
  }
  return new Markup(parts);
}

/** Can it be added yet? */
function add(parts: Part[], value: unknown): boolean {
  if (typeof value === "string") parts.push(escaped(value));
  else if (value instanceof Markup) parts.push(value);
  else if (Array.isArray(value)) return value.every((one) => add(parts, one));
  else if (value instanceof Promise) return false;
  else if (typeof value === "number") parts.push(String(value));
  else if (typeof value === "object" && value !== null) parts.push(textOf(value));
  return true;
}

/** Templates of other makers have pieces of their own. */
function textOf(value: { toString: () => string }): string {
  return "isEscaped" in value && value.isEscaped === true ? value.toString() : escaped(value.toString());
}

const special = /[&<>"']/;
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return special.test(text) ? text.replace(/[&<>"']/g, (sign) => entities[sign]!) : text;
}
