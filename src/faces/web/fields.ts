import type { SentFile } from "../../http/exchange.ts";
import { cleanText } from "../../http/text.ts";

/** What was typed: a query or a form. Line ends are `\n`, and no text holds control characters. */
export class Fields {
  readonly #values: Map<string, string[]>;
  /** Uploads, staged in the blob store; those that no page keeps are removed after the answer. */
  readonly sent: readonly SentFile[];

  constructor(entries: Iterable<readonly [string, string]> = [], sent: readonly SentFile[] = []) {
    this.#values = new Map();
    this.sent = sent;
    for (const [name, value] of entries) {
      const key = name.replace(/\[\]$/, "");
      const values = this.#values.get(key);
      if (values) values.push(cleanText(value));
      else this.#values.set(key, [cleanText(value)]);
    }
  }

  /** The text under that name; empty when there is none. */
  text(name: string): string {
    return this.#values.get(name)?.[0] ?? "";
  }

  /** The same without white space around it. */
  word(name: string): string {
    return this.text(name).trim();
  }

  /** Every text under that name. */
  all(name: string): string[] {
    return (this.#values.get(name) ?? []).filter((value) => value !== "");
  }

  /** Everything that was typed, name by name. */
  *entries(): Generator<[name: string, value: string]> {
    for (const [name, values] of this.#values) for (const value of values) yield [name, value];
  }

  /** A box that was ticked, or a parameter that is there and not empty. */
  has(name: string): boolean {
    return this.text(name) !== "";
  }

  /** A whole number that is not negative; undefined for anything else. */
  number(name: string): number | undefined {
    const text = this.word(name);
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  }

  /** The upload under that name, if it is not empty. */
  file(name: string): SentFile | undefined {
    return this.files(name)[0];
  }

  /** Every upload under that name that is not empty. */
  files(name: string): SentFile[] {
    return this.sent.filter((file) => file.name === name && file.staged.size > 0);
  }
}
