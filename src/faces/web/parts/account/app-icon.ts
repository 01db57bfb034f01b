import { proxied } from "../../../../domain/proxy/addresses.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { icon } from "../icons.ts";

/** The picture of an application; one that would not come over HTTPS is not shown. */
export function appIcon({ hub }: PageContext, address: string): Html {
  if (!address.startsWith("https:")) return html`<span class="app-icon">${icon("key")}</span>`;
  return html`<img
    class="app-icon"
    src="${proxied(hub, address)}"
    alt=""
    width="44"
    height="44"
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
}
