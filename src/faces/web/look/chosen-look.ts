import { html } from "hono/html";
import { pageLookOf, themes } from "../../../domain/identity/accounts/page-look.ts";
import type { Html, PageContext } from "../page.ts";

/** What browsers draw around pages. */
const grounds = { light: "#eef3f0", dark: "#0f1714" } as const;

/** How a page looks by the choice of who reads it, or else as the browser has it: light or dark, and how large its words are. */
export function chosenLook({ member, assets }: PageContext): { attributes: Html; tags: Html } {
  const { theme, textSize } = member ? pageLookOf(member.account) : {};
  const attributes = html`${theme ? html`data-theme="${theme}"` : ""} ${textSize ? html`data-text="${textSize}"` : ""}`;
  const dark = (media: string): Html => html`<link rel="stylesheet" href="${assets}/dark.css" media="${media}" />`;
  if (theme)
    return {
      attributes,
      tags: html`<meta name="color-scheme" content="${theme}" />
        <meta name="theme-color" content="${grounds[theme]}" />
        ${theme === "dark" ? dark("screen") : ""}`,
    };
  return {
    attributes,
    tags: html`<meta name="color-scheme" content="light dark" />
      ${themes.map((one) => html`<meta name="theme-color" content="${grounds[one]}" media="(prefers-color-scheme: ${one})" />`)}
      ${dark("screen and (prefers-color-scheme: dark)")}`,
  };
}
