import type { PageContext } from "../page.ts";

/** The address of the logo: that of the hub, or the one that all hubs have. */
export function logoOf({ site, assets }: PageContext, size: "small" | "large" = "small"): string {
  if (!site.look?.logo) return `${assets}/logo.svg`;
  return `/look/${site.look.logo}/${size === "small" ? "logo" : "logo-large"}.png`;
}
