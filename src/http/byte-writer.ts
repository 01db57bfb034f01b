/** So many signs wait to be encoded together: V8 makes one text of so few pieces fast, and of all those of a page slowly. */
const enough = 2048;

/** Writes a long text piece by piece as the bytes that go out: making one text of all pieces and encoding that costs far more. */
export class ByteWriter {
  readonly #done: Uint8Array[] = [];
  #waiting = "";

  text(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length >= enough) this.#encode();
  }

  bytes(bytes: Uint8Array): void {
    this.#encode();
    this.#done.push(bytes);
  }

  /** All that has been written. */
  written(): Buffer<ArrayBuffer> {
    this.#encode();
    return Buffer.concat(this.#done);
  }

  #encode(): void {
    if (this.#waiting === "") return;
    this.#done.push(Buffer.from(this.#waiting));
    this.#waiting = "";
  }
}
