import { cleanText } from "../../http/text.ts";

/** What was typed: a query or a form. Line ends are `\n`, and no text holds control characters. */
export class Fields {
  readonly #values: Map<string, string[]>;
  readonly #files: Map<string, File>;

  constructor(entries: Iterable<readonly [string, string | File]> = []) {
    this.#values = new Map();
    this.#files = new Map();
    for (const [name, value] of entries) {
      const key = name.replace(/\[\]$/, "");
      if (typeof value !== "string") this.#files.set(key, value);
      else this.#values.set(key, [...(this.#values.get(key) ?? []), cleanText(value)]);
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

  /** A box that was ticked, or a parameter that is there and not empty. */
  has(name: string): boolean {
    return this.text(name) !== "";
  }

  /** A whole number that is not negative; undefined for anything else. */
  number(name: string): number | undefined {
    const text = this.word(name);
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  }

  /** An uploaded file that is not empty. */
  file(name: string): File | undefined {
    const file = this.#files.get(name);
    return file && file.size > 0 ? file : undefined;
  }
}
