/** A text of so many signs is written faster than Node is asked to do it. */
const short = 64;

/** Writes a long text piece by piece as the bytes that go out: joining texts and encoding them costs far more. */
export class ByteWriter {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  /** `expected` is how many bytes there will be, as far as that is known. */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expected);
  }

  text(text: string): void {
    this.#makeRoom(text.length * 3);
    if (text.length > short || !this.#ascii(text)) this.#length += this.#bytes.write(text, this.#length);
  }

  /** Writes it sign by sign, if it has no others. */
  #ascii(text: string): boolean {
    const bytes = this.#bytes;
    let place = this.#length;
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      if (code > 127) return false;
      bytes[place++] = code;
    }
    this.#length = place;
    return true;
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** All that has been written. */
  written(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    larger.set(this.written());
    this.#bytes = larger;
  }
}
