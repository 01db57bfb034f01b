import { createHash } from "node:crypto";
import { strokesFor } from "./avatar-letters.ts";

/** Pairs of colours on which white is easy to read. */
const colours = [
  ["#e2506a", "#b3346f"],
  ["#d9603b", "#b23a48"],
  ["#b9701c", "#9a4a22"],
  ["#7d8a1d", "#4d6b2b"],
  ["#2f9a5d", "#1d6f68"],
  ["#169a8f", "#17688a"],
  ["#2089bf", "#2a56a8"],
  ["#4f74d9", "#5146b5"],
  ["#7d63d6", "#8a3fa8"],
  ["#b355b8", "#83398f"],
  ["#5f7487", "#3d4f68"],
  ["#96705c", "#6d4a52"],
] as const;

/** Rises when the drawing changes, so that the stored pictures are made again. */
export const pictureVersion = 1;

/** The default picture: colours and shapes from the identity's hash, and the first letter of its name. */
export function drawAvatar(hash: string, name: string): string {
  const bytes = createHash("sha256").update(hash).digest();
  const [light, dark] = colours[bytes[0]! % colours.length]!;
  const at = (index: number, from: number, to: number): number =>
    Math.round(from + (bytes[index]! / 255) * (to - from));
  const { path, width } = strokesFor(name);
  const unit = 22;
  const left = 150 - (width * unit) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300" viewBox="0 0 300 300">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs>
<rect width="300" height="300" fill="url(#g)"/>
<circle cx="${at(1, 210, 300)}" cy="${at(2, 200, 300)}" r="${at(3, 90, 140)}" fill="#fff" fill-opacity=".12"/>
<circle cx="${at(4, 0, 110)}" cy="${at(5, 0, 80)}" r="${at(6, 50, 90)}" fill="#fff" fill-opacity=".1"/>
<path transform="translate(${left} ${150 - 3 * unit}) scale(${unit})" d="${path}" fill="none" stroke="#fff" stroke-width=".95" stroke-linecap="round" stroke-linejoin="round"/>
</svg>`;
}
