import type { Extension, Theme } from "./extension.ts";

/** The custom properties of pages that themes may set (docs/themes.md). */
export const themeProperties = [
  "--bg",
  "--surface",
  "--sunken",
  "--ink",
  "--soft",
  "--line",
  "--edge",
  "--accent",
  "--accent-hover",
  "--on-accent",
  "--accent-soft",
  "--gold",
  "--gold-fill",
  "--gold-soft",
  "--focus",
  "--coral",
  "--coral-soft",
  "--code-keyword",
  "--code-name",
  "--shadow",
  "--round",
  "--heading",
  "--text",
] as const;

/** Is it one value, and nothing that loads something or ends the rule? */
export function isThemeValue(value: string): boolean {
  return (
    value.length <= 300 && /^[\w\s#%.,'"()/+-]+$/.test(value) && !/\b(?:url|src|image|image-set)\s*\(/i.test(value)
  );
}

/**
 * The sheet of a theme: what it says, in the light, in the dark, and by the choice of a member. What it says of the one does not reach
 * into the other, nor onto paper, and what administrators set for `:root` comes after it.
 */
function themeSheet(theme: Theme): string {
  const parts = (["light", "dark"] as const).map((one) => [
    `@media screen and (prefers-color-scheme: ${one}) {\n${rule(":root:where(:not([data-theme]))", theme[one])}}\n`,
    `@media screen {\n${rule(`:root:where([data-theme="${one}"])`, theme[one])}}\n`,
  ]);
  return parts.flat().join("");
}

function rule(selector: string, properties: Readonly<Record<string, string>>): string {
  const lines = Object.entries(properties).map(([name, value]) => `  ${name}: ${value};\n`);
  return `${selector} {\n${lines.join("")}}\n`;
}

/** A theme by the name that the site keeps: EXTENSION/THEME. */
export function themesOf(extensions: readonly Extension[]): { name: string; theme: Theme }[] {
  return extensions.flatMap(({ name, themes = [] }) =>
    themes.map((theme) => ({ name: `${name}/${theme.name}`, theme })),
  );
}

/** What the pages of extensions and the themes of theirs need, by the name of the file. */
export function extensionSheets(extensions: readonly Extension[]): Map<string, string> {
  return new Map([
    ...extensions.flatMap(({ name, styles }) => (styles === undefined ? [] : [[sheetOfPages(name), styles] as const])),
    ...themesOf(extensions).map(({ name, theme }) => [sheetOfTheme(name), themeSheet(theme)] as const),
  ]);
}

export function sheetOfPages(extension: string): string {
  return `x/${extension}.css`;
}

export function sheetOfTheme(theme: string): string {
  return `x/${theme}.css`;
}
