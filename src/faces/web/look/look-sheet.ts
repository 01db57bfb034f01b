import type { Accents, LookChoices } from "../../../domain/identity/site/site-look.ts";
import { contrast, mix } from "./colours.ts";

/** The sheet of styles that follows the hub's own one, made of what administrators have chosen. */

type Backdrop = {
  /** What words in the colour stand on (assets/hubbub.css). */
  grounds: readonly string[];
  /** What it is mixed with where it is only a hint, and how much of it is left. */
  surface: string;
  hint: number;
  /** What it turns to under the pointer. */
  towards: string;
};

const backdrops: Readonly<Record<keyof Accents, Backdrop>> = {
  light: { grounds: ["#eef3f0", "#ffffff", "#f4f8f5"], surface: "#ffffff", hint: 0.12, towards: "#000000" },
  dark: { grounds: ["#0f1714", "#17211d", "#131c18"], surface: "#17211d", hint: 0.14, towards: "#ffffff" },
};

const enough = 4.5;

/** The grounds that words in this colour stand on, the hint of itself among them. */
function groundsOf(colour: string, { grounds, surface, hint }: Backdrop): string[] {
  return [...grounds, mix(surface, colour, hint)];
}

/** Can words in this colour be read wherever they stand? */
export function isReadable(colour: string, where: keyof Accents): boolean {
  return groundsOf(colour, backdrops[where]).every((ground) => contrast(colour, ground) >= enough);
}

/** The text of the sheet. */
export function lookSheet({ accents, css }: Pick<LookChoices, "accents" | "css">): string {
  return `${accents ? coloursOf(accents) : ""}${css}\n`;
}

function coloursOf({ light, dark }: Accents): string {
  const inDark = (media: string, who: string) => `@media ${media} {\n${rule(who, dark, "dark")}}\n`;
  return [
    rule(":root", light, "light"),
    inDark("screen and (prefers-color-scheme: dark)", ":root:not([data-theme])"),
    inDark("screen", ':root[data-theme="dark"]'),
  ].join("");
}

function rule(who: string, colour: string, where: keyof Accents): string {
  const set = Object.entries(coloursWith(colour, where)).map(([name, value]) => `  ${name}: ${value};\n`);
  return `${who} {\n${set.join("")}}\n`;
}

/** What the sheet sets for an accent. */
export function coloursWith(colour: string, where: keyof Accents): Record<string, string> {
  const { surface, hint, towards } = backdrops[where];
  const words = ["#ffffff", "#000000"].toSorted((one, other) => contrast(other, colour) - contrast(one, colour))[0]!;
  return {
    "--accent": colour,
    "--accent-hover": mix(colour, towards, 0.2),
    "--on-accent": words,
    "--accent-soft": mix(surface, colour, hint),
  };
}

export const longestCss = 20_000;

/**
 * Does the sheet stay within itself? It may load nothing, from wherever; escapes are read as browsers read them. The content policy of
 * pages stands behind that.
 */
export function staysWithin(css: string): boolean {
  const read = css
    .replaceAll(/\/\*[^]*?(?:\*\/|$)/g, "")
    .replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => characterOf(Number.parseInt(code, 16)))
    .replaceAll("\\", "")
    .toLowerCase();
  return !/@(?:import|charset|namespace|font-face)|\b(?:url|src|image|image-set|cross-fade|element|expression)\(|<\/|<!--/.test(
    read,
  );
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : "\ufffd";
}
