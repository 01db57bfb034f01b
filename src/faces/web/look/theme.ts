import { themesOf } from "../../../extensions/theme-sheet.ts";
import type { PageContext } from "../page.ts";

/** The theme that administrators have chosen; undefined where there is none, or nobody offers it any more. */
export function themeOf({ hub, site }: PageContext): ReturnType<typeof themesOf>[number] | undefined {
  return themesOf(hub.extensions).find(({ name }) => name === site.look?.theme);
}
