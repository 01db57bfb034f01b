/** Colours as `#rrggbb`, and how well they are told apart (WCAG 2.2, 1.4.3). */

type Rgb = readonly [red: number, green: number, blue: number];

/** The colour in its usual form; undefined for what is none. */
export function readColour(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  return digits && `#${digits.toLowerCase()}`;
}

/** So much of the second colour in the first, from 0 to 1. */
export function mix(one: string, other: string, share: number): string {
  const [a, b] = [rgbOf(one), rgbOf(other)];
  const mixed = a.map((value, at) => Math.round(value + (b[at]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** How well they are told apart, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function rgbOf(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function luminance(colour: string): number {
  const [red, green, blue] = rgbOf(colour).map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
