import { pageLookOf, themes } from "../../../domain/identity/accounts/page-look.ts";
import { sheetOfTheme } from "../../../extensions/theme-sheet.ts";
import { html } from "../html.ts";
import type { Html, PageContext } from "../page.ts";
import { themeOf } from "./theme.ts";

/** What browsers draw around pages. */
const grounds = { light: "#eef3f0", dark: "#0f1714" } as const;

/** How a page looks by the choice of who reads it, or else as the browser has it: light or dark, and how large its words are. */
export function chosenLook(context: PageContext): { attributes: Html; tags: Html } {
  const { member, assets } = context;
  const { theme, textSize } = member ? pageLookOf(member.account) : {};
  const offered = themeOf(context);
  const ground = (one: keyof typeof grounds): string => offered?.theme[one]["--bg"] ?? grounds[one];
  const attributes = html`${theme ? html`data-theme="${theme}"` : ""} ${textSize ? html`data-text="${textSize}"` : ""}`;
  const sheet = offered && html`<link rel="stylesheet" href="${assets}/${sheetOfTheme(offered.name)}" />`;
  const dark = (media: string): Html => html`<link rel="stylesheet" href="${assets}/dark.css" media="${media}" />`;
  if (theme)
    return {
      attributes,
      tags: html`<meta name="color-scheme" content="${theme}" />
        <meta name="theme-color" content="${ground(theme)}" />
        ${theme === "dark" ? dark("screen") : ""} ${sheet}`,
    };
  return {
    attributes,
    tags: html`<meta name="color-scheme" content="light dark" />
      ${themes.map((one) => html`<meta name="theme-color" content="${ground(one)}" media="(prefers-color-scheme: ${one})" />`)}
      ${dark("screen and (prefers-color-scheme: dark)")} ${sheet}`,
  };
}
