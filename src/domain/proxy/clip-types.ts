/** How films and sounds begin, by the types that browsers play. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^[^]{4}ftyp(?:M4A|M4B)/, "audio/mp4"],
  [/^[^]{4}ftyp(?:isom|iso\d|mp4\d|avc1|dash|M4V|MSNV|3g|qt)/, "video/mp4"],
  [/^\x1aE\xdf\xa3[^]*webm/, "video/webm"],
  [/^OggS[^]{24}(?:.theora|fishead)/, "video/ogg"],
  [/^OggS/, "audio/ogg"],
  [/^fLaC/, "audio/flac"],
  [/^RIFF[^]{4}WAVE/, "audio/wav"],
  [/^ID3|^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/, "audio/mpeg"],
  [/^\xff[\xf1\xf9]/, "audio/aac"],
];

/** How many bytes `clipType` looks at. */
export const clipHeadLength = 64;

/** The type of a film or sound by its first bytes; undefined for what is none that is passed on. */
export function clipType(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, clipHeadLength);
  return beginnings.find(([beginning]) => beginning.test(head))?.[1];
}
