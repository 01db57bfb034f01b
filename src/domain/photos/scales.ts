import { namesIn } from "../../record-of.ts";
/**
 * The scales in which images are drawn. Code calls them by their names; the numbers are for addresses, rows and records
 * (native contract 2.14).
 */
export const scales = {
  /** Upright, and as large as it came. */
  original: { number: 0 },
  // Every image has these three: nothing in them is longer than their edge.
  large: { number: 1, edge: 1024 },
  medium: { number: 2, edge: 640 },
  small: { number: 3, edge: 320 },
  // An image has these in its use alone, each filled by its middle.
  profileLarge: { number: 4, width: 300, height: 300 },
  profileMedium: { number: 5, width: 80, height: 80 },
  profileSmall: { number: 6, width: 48, height: 48 },
  coverLarge: { number: 7, width: 1200, height: 435 },
  coverMedium: { number: 8, width: 850, height: 310 },
  coverSmall: { number: 9, width: 425, height: 160 },
} as const;

export type Scale = keyof typeof scales;

/** What every image has besides the original, the largest first. */
export const smallerScales = ["large", "medium", "small"] as const satisfies readonly Scale[];

/** What an image has for its use, the largest first. */
export const scalesOf = {
  profile: ["profileLarge", "profileMedium", "profileSmall"],
  cover: ["coverLarge", "coverMedium", "coverSmall"],
} as const satisfies Record<string, readonly Scale[]>;

/** What an image of the channel may be besides an image. */
export type Use = keyof typeof scalesOf;

export const uses = namesIn(scalesOf);

const numbers: ReadonlySet<number> = new Set(Object.values(scales).map(({ number }) => number));

/** Is it the number of a scale? */
export function isScaleNumber(number: number): boolean {
  return numbers.has(number);
}

/** The rendition of that scale, if the image has one. */
export function atScale<T extends { imgscale: number }>(renditions: readonly T[], scale: Scale): T | undefined {
  return renditions.find(({ imgscale }) => imgscale === scales[scale].number);
}

/** Those among the renditions that are for this use. */
export function forUse<T extends { imgscale: number }>(renditions: readonly T[], use: Use): T[] {
  return scalesOf[use].flatMap((scale) => atScale(renditions, scale) ?? []);
}
