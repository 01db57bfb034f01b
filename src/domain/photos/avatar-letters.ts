/** Letters as lines with round ends, because a server may have no fonts: [path in units of a sixth of the height, width]. */
const letters: Record<string, readonly [string, number]> = {
  A: ["M0 6L2 0L4 6M.8 3.9H3.2", 4],
  B: ["M0 0H2A1.4 1.4 0 0 1 2 2.8H0M2 2.8H2.2A1.6 1.6 0 0 1 2.2 6H0V0", 3.8],
  C: ["M3.9 1.3C3.3 .4 2.8 0 2.1 0C.7 0 0 1.2 0 3C0 4.8 .7 6 2.1 6C2.8 6 3.3 5.6 3.9 4.7", 3.9],
  D: ["M0 0V6H1.6C3.2 6 4 4.8 4 3C4 1.2 3.2 0 1.6 0Z", 4],
  E: ["M3.5 0H0V6H3.5M0 2.9H3", 3.5],
  F: ["M3.5 0H0V6M0 2.9H3", 3.5],
  G: ["M3.9 1.3C3.3 .4 2.8 0 2.1 0C.7 0 0 1.2 0 3C0 4.8 .7 6 2.1 6C3.3 6 4 5 4 3.3H2.3", 4],
  H: ["M0 0V6M4 0V6M0 2.9H4", 4],
  I: ["M0 0V6", 0],
  J: ["M3 0V4.3C3 5.4 2.4 6 1.5 6C.8 6 .3 5.6 0 5", 3],
  K: ["M0 0V6M3.8 0L0 3.4M1.4 2.2L4 6", 4],
  L: ["M0 0V6H3.5", 3.5],
  M: ["M0 6V0L2.3 3.6L4.6 0V6", 4.6],
  N: ["M0 6V0L4 6V0", 4],
  O: ["M2.1 0C.7 0 0 1.2 0 3C0 4.8 .7 6 2.1 6C3.5 6 4.2 4.8 4.2 3C4.2 1.2 3.5 0 2.1 0Z", 4.2],
  P: ["M0 6V0H2.2A1.65 1.65 0 0 1 2.2 3.3H0", 3.85],
  Q: ["M2.1 0C.7 0 0 1.2 0 3C0 4.8 .7 6 2.1 6C3.5 6 4.2 4.8 4.2 3C4.2 1.2 3.5 0 2.1 0ZM2.8 4.6L4.3 6.3", 4.2],
  R: ["M0 6V0H2.2A1.65 1.65 0 0 1 2.2 3.3H0M1.9 3.3L4 6", 4],
  S: ["M3.6 1C3.2 .4 2.6 0 1.9 0C.9 0 .2 .6 .2 1.5C.2 3.6 3.8 2.4 3.8 4.5C3.8 5.4 3 6 1.9 6C1 6 .4 5.6 0 4.9", 3.8],
  T: ["M0 0H4M2 0V6", 4],
  U: ["M0 0V3.8C0 5.2 .8 6 2 6C3.2 6 4 5.2 4 3.8V0", 4],
  V: ["M0 0L2 6L4 0", 4],
  W: ["M0 0L1.3 6L2.7 1.6L4.1 6L5.4 0", 5.4],
  X: ["M0 0L4 6M4 0L0 6", 4],
  Y: ["M0 0L2 3L4 0M2 3V6", 4],
  Z: ["M0 0H4L0 6H4", 4],
  0: ["M2 0C.6 0 0 1.2 0 3C0 4.8 .6 6 2 6C3.4 6 4 4.8 4 3C4 1.2 3.4 0 2 0Z", 4],
  1: ["M0 1.2L1.4 0V6", 1.4],
  2: ["M.2 1.4C.4 .5 1 0 1.9 0C3 0 3.7 .7 3.7 1.7C3.7 3.2 0 4.8 0 6H3.9", 3.9],
  3: [
    "M.2 .9C.6 .3 1.2 0 1.9 0C3 0 3.6 .6 3.6 1.4C3.6 2.3 2.9 2.9 1.6 2.9C3 2.9 3.9 3.5 3.9 4.5C3.9 5.4 3 6 1.9 6C1 6 .4 5.6 0 5",
    3.9,
  ],
  4: ["M3 6V0L0 4.2H4", 4],
  5: ["M3.5 0H.6L.3 2.8C2 2 3.9 2.6 3.9 4.2C3.9 5.3 3 6 1.9 6C1 6 .4 5.7 0 5", 3.9],
  6: ["M3.2 .3C1.2 .6 0 2.2 0 4.1A1.95 1.9 0 1 0 .3 3.1", 3.9],
  7: ["M0 0H3.9L1.5 6", 3.9],
  8: ["M1.9 0A1.4 1.4 0 1 0 1.9 2.8A1.4 1.4 0 1 0 1.9 0M1.9 2.8A1.6 1.6 0 1 0 1.9 6A1.6 1.6 0 1 0 1.9 2.8", 3.8],
  9: ["M.7 5.7C2.7 5.4 3.9 3.8 3.9 1.9A1.95 1.9 0 1 0 3.6 2.9", 3.9],
};

/** A smile, for names that begin with something else. */
const smile = ["M0 3.4C.9 5.6 3.7 5.6 4.6 3.4M1 .7V1.5M3.6 .7V1.5", 4.6] as const;

/** The strokes for the first letter of a name, accents left out. */
export function strokesFor(name: string): { path: string; width: number } {
  const first = name
    .normalize("NFD")
    .replace(/^[^\p{L}\p{N}\p{S}]+/u, "")
    .slice(0, 1)
    .toUpperCase();
  const [path, width] = (Object.hasOwn(letters, first) ? letters[first] : undefined) ?? smile;
  return { path, width };
}
