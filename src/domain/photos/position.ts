/**
 * Where a photo was taken, as `latitude longitude` in decimal degrees, from the EXIF data that a camera has written; empty
 * when it does not say. Data that cannot be read says nothing.
 */
export function positionOf(exif: Buffer | undefined): string {
  try {
    return exif ? readPosition(exif) : "";
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}

const gpsDirectory = 0x8825;
const latitude = 2;
const longitude = 4;

function readPosition(exif: Buffer): string {
  const start = exif.toString("latin1", 0, 6) === "Exif\0\0" ? 6 : 0;
  const data = new Tiff(exif.subarray(start));
  const gps = data.find(data.long(4), gpsDirectory);
  if (gps === undefined) return "";
  const directory = data.long(gps + 8);
  const north = angle(data, directory, latitude, "S", 90);
  const east = angle(data, directory, longitude, "W", 180);
  return north === undefined || east === undefined ? "" : `${north} ${east}`;
}

/** Degrees, minutes and seconds; the tag before it holds the letter of the hemisphere. */
function angle(data: Tiff, directory: number, tag: number, negative: string, most: number): number | undefined {
  const entry = data.find(directory, tag);
  const letter = data.find(directory, tag - 1);
  if (entry === undefined || letter === undefined) return undefined;
  const at = data.long(entry + 8);
  const value = data.fraction(at) + data.fraction(at + 8) / 60 + data.fraction(at + 16) / 3600;
  if (!Number.isFinite(value) || value > most) return undefined;
  const rounded = Math.round(value * 1e6) / 1e6;
  return data.letter(letter + 8) === negative && rounded !== 0 ? -rounded : rounded;
}

/** Reads the format that EXIF is written in; whatever points outside throws RangeError. */
class Tiff {
  readonly #bytes: Buffer;
  readonly #little: boolean;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#little = bytes.toString("latin1", 0, 2) === "II";
  }

  long(at: number): number {
    return this.#little ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  letter(at: number): string {
    return String.fromCharCode(this.#bytes.readUInt8(at)).toUpperCase();
  }

  /** Cameras write 0/0 for what they do not know; of minutes and seconds that means none. */
  fraction(at: number): number {
    const [top, bottom] = [this.long(at), this.long(at + 4)];
    return top === 0 ? 0 : top / bottom;
  }

  /** Where the entry of a tag stands in a directory. */
  find(directory: number, tag: number): number | undefined {
    const count = this.#short(directory);
    for (let n = 0; n < count; n++) {
      const entry = directory + 2 + n * 12;
      if (this.#short(entry) === tag) return entry;
    }
    return undefined;
  }

  #short(at: number): number {
    return this.#little ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }
}
