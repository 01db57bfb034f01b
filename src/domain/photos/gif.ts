/** A GIF as it is stored: every frame as it came, and nothing that is not drawn. */
export type PlainGif = { bytes: Buffer; frames: number; width: number; height: number };

const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;
const graphicControl = 0xf9;
const application = 0xff;

/** The application blocks that say how often an animation repeats. */
const loops: readonly string[] = ["NETSCAPE2.0", "ANIMEXTS1.0"];

/**
 * A GIF without comments, metadata and whatever follows its end; the frames stay as they are, for drawing them anew
 * takes seconds. Undefined when the bytes break off or are no GIF.
 */
export function plainGif(bytes: Buffer): PlainGif | undefined {
  if (bytes.length < 13) return undefined;
  const kept: Buffer[] = [];
  let frames = 0;
  let at = 13 + paletteLength(bytes[10]!);
  kept.push(bytes.subarray(0, at));
  while (at < bytes.length && bytes[at] !== trailer) {
    const end = blockEnd(bytes, at);
    if (end === undefined) return undefined;
    if (bytes[at] === image) frames++;
    if (isDrawn(bytes, at)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  if (frames === 0) return undefined;
  kept.push(Buffer.from([trailer]));
  return { bytes: Buffer.concat(kept), frames, width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Bytes of the colour table that a packed field announces. */
function paletteLength(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

function isDrawn(bytes: Buffer, at: number): boolean {
  if (bytes[at] === image) return true;
  if (bytes[at + 1] === graphicControl) return true;
  return bytes[at + 1] === application && loops.includes(bytes.toString("latin1", at + 3, at + 14));
}

/** Where the block that begins here ends; undefined when it does not. */
function blockEnd(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] === extension) return subBlocksEnd(bytes, at + 2);
  if (bytes[at] !== image || at + 10 > bytes.length) return undefined;
  return subBlocksEnd(bytes, at + 11 + paletteLength(bytes[at + 9]!));
}

function subBlocksEnd(bytes: Buffer, start: number): number | undefined {
  let at = start;
  while (at < bytes.length) {
    const length = bytes[at]!;
    at += length + 1;
    if (length === 0) return at;
  }
  return undefined;
}
