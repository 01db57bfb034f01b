import { createHash } from "node:crypto";
import { refusal } from "../../../errors.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import { listLine } from "../../export/archive-layout.ts";

/** Compares the entries of an archive with the list at its end, as they come. */
export class ArchiveList {
  readonly #lines: string[] = [];
  readonly #texts = { format: "", list: "", seal: "" };

  /** The bytes of an entry, which count once they are read to their end. */
  async *through(name: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
    this.#lines.push(listLine(name, hash.digest("hex")));
  }

  /** What one of the entries about the archive itself says. */
  take(kind: "format" | "list" | "seal", text: string): void {
    this.#texts[kind] = text;
  }

  /**
   * Refuses an archive that is not as it was written: its list must name every entry with its hash and be signed by the
   * channel. Answers false for one of the old form, which has no list. Throws invalid.
   */
  check(publicKey: string): boolean {
    const { format, list, seal } = this.#texts;
    if (list === "" && format === "") return false;
    if (list === "") throw refusal("archive_list_missing");
    const wanted = list.split(/(?<=\n)/);
    for (let place = 0; place < Math.max(wanted.length, this.#lines.length); place++) {
      const [one, other] = [this.#lines[place], wanted[place]];
      if (one === other) continue;
      if (one === undefined) throw refusal("archive_entry_missing", { name: nameIn(other) });
      if (nameIn(one) === nameIn(other)) throw refusal("archive_entry_changed", { name: nameIn(one) });
      throw refusal("archive_entry_misplaced", { name: nameIn(one), expected: nameIn(other) });
    }
    if (!verifySignature(publicKey, list, seal)) throw refusal("archive_list_unsigned");
    return true;
  }
}

function nameIn(line = ""): string {
  return line.slice(66).trimEnd();
}
