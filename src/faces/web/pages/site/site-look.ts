import { lookChoices, readLogo } from "../../../../domain/identity/site/site-look.ts";
import { missing } from "../../../../errors.ts";
import { lasting } from "../../answers.ts";
import { lookSheet } from "../../look/look-sheet.ts";
import type { Page, PageContext } from "../../page.ts";

/** Styles and logo that administrators have chosen, at addresses that change with them. */
export const lookPages: Page[] = [
  { path: "/look/:version/look.css", access: "anybody", get: sheet },
  { path: "/look/:version/logo.png", access: "anybody", get: (context) => logo(context, "small") },
  { path: "/look/:version/logo-large.png", access: "anybody", get: (context) => logo(context, "large") },
];

async function sheet(context: PageContext): Promise<Response> {
  const { hub, site, params } = context;
  if (!site.look?.sheet || site.look.sheet !== params["version"]) throw missing("Page");
  return lasting(context, Buffer.from(lookSheet(await lookChoices(hub))), "text/css; charset=utf-8");
}

async function logo(context: PageContext, size: "small" | "large"): Promise<Response> {
  const { hub, site, params } = context;
  const known = site.look?.logo && site.look.logo === params["version"] ? await readLogo(hub) : undefined;
  if (!known) throw missing("Page");
  return lasting(context, new Uint8Array(known[size]), "image/png");
}
