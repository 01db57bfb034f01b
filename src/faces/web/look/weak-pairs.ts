import { readFileSync } from "node:fs";
import { themesOf } from "../../../extensions/theme-sheet.ts";
import type { Extension } from "../../../extensions/extension.ts";
import type { LookChoices } from "../../../domain/identity/site/site-look.ts";
import { contrast, readColour } from "./colours.ts";
import { coloursWith } from "./look-sheet.ts";

/** Which colours of themes are hard to tell apart, by what docs/themes.md says of each pair. */

const words = { needs: 4.5, what: "words" } as const;
const signs = { needs: 3, what: "edges" } as const;

type Pair = { one: string; on: string; needs: number; what: string };

const pairs: readonly Pair[] = [
  ...["--bg", "--surface", "--sunken"].flatMap((on) => [
    ...["--ink", "--soft", "--accent", "--gold", "--coral"].map((one) => ({ one, on, ...words })),
    ...["--edge", "--focus"].map((one) => ({ one, on, ...signs })),
  ]),
  ...["--accent", "--gold", "--coral"].map((one) => ({ one, on: `${one}-soft`, ...words })),
  { one: "--on-accent", on: "--accent", ...words },
];

/**
 * A sentence for each pair of colours of these extensions' themes that is too weak; with the theme that is chosen come the accents that
 * are. Colours that are not written as `#rrggbb` are not judged.
 */
export function weakPairs(extensions: readonly Extension[], chosen?: Pick<LookChoices, "theme" | "accents">): string[] {
  const themes = themesOf(extensions);
  if (themes.length === 0) return [];
  const light = ownColours("hubbub");
  const own = { light, dark: { ...light, ...ownColours("dark") } };
  return themes.flatMap(({ name, theme }) =>
    (["light", "dark"] as const).flatMap((where) =>
      weakIn({
        ...own[where],
        ...theme[where],
        ...(chosen?.accents && name === chosen.theme && coloursWith(chosen.accents[where], where)),
      }).map((weak) => `The theme ${name} is hard to read in the ${where}: ${weak}.`),
    ),
  );
}

function weakIn(colours: Readonly<Record<string, string>>): string[] {
  return pairs.flatMap(({ one, on, needs, what }) => {
    const [colour, ground] = [readColour(colours[one] ?? ""), readColour(colours[on] ?? "")];
    const reached = colour && ground ? contrast(colour, ground) : needs;
    if (reached >= needs) return [];
    // Rounded down, so that what is said is never enough.
    const said = Math.floor(reached * 10) / 10;
    return [`${one} (${colour}) on ${on} (${ground}) has a contrast of ${said}, and ${what} need ${needs}`];
  });
}

/** What a sheet of the hub says, which holds where a theme says nothing. */
function ownColours(name: "hubbub" | "dark"): Record<string, string> {
  const sheet = new URL(`../assets/${name}.css`, import.meta.url);
  const [, rule = ""] = /:root \{([^}]*)\}/.exec(readFileSync(sheet, "utf8")) ?? [];
  return Object.fromEntries(
    [...rule.matchAll(/(--[\w-]+):\s*(#\w+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}
