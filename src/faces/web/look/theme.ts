import { sheetOfTheme, themesOf } from "../../../extensions/theme-sheet.ts";
import type { PageContext } from "../page.ts";

/** The sheet of the theme that administrators have chosen; undefined where there is none, or nobody offers it any more. */
export function themeOf({ hub, site }: PageContext): string | undefined {
  const chosen = themesOf(hub.extensions).find(({ name }) => name === site.look?.theme);
  return chosen && sheetOfTheme(chosen.name);
}
