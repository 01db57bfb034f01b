import { pageLookOf } from "../../../../domain/identity/accounts/page-look.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";

/** The pictures of the help, with how tall they are; `npm run screenshots` takes them, light and dark, from a hub with people. */
export const helpPictures = { "first-post": 276, audience: 640, address: 208, coming: 368, consent: 536 } as const;

export type HelpPicture = keyof typeof helpPictures;

export const helpPictureWidth = 680;

/** A part of a page, as it looks to whoever reads the help. */
export function helpPicture({ assets, member, say }: PageContext, name: HelpPicture): Html {
  const { theme } = member ? pageLookOf(member.account) : {};
  const address = (look: "light" | "dark"): string => `${assets}/help/${name}-${look}.webp`;
  const dark = theme ? "" : html`<source srcset="${address("dark")}" media="(prefers-color-scheme: dark)" />`;
  return html`<picture class="help-picture">
    ${dark}<img
      src="${address(theme ?? "light")}"
      alt="${say(`help.picture-${name}`)}"
      width="${helpPictureWidth}"
      height="${helpPictures[name]}"
      loading="lazy"
      decoding="async"
    />
  </picture>`;
}
