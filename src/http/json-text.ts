/** JSON that is written already: a presenter's answer where parts repeat so often that each is written once. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON that is written already and large: as bytes it goes out without being turned into such once more. */
export class JsonBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }
}

/** JSON that is written while it is read from the database: its pieces in their order. */
export class JsonStream {
  readonly pieces: AsyncIterable<string>;

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}
