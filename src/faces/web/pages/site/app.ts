import { json, show } from "../../answers.ts";
import { html } from "../../html.ts";
import { logoOf } from "../../look/logo.ts";
import type { Page, PageContext } from "../../page.ts";

/** The hub as an app: what browsers and phones want to know to install it, and what is seen of it without a network. */
export const appPages: Page[] = [
  { path: "/manifest.webmanifest", access: "anybody", get: manifest },
  { path: "/offline", access: "anybody", get: offline },
];

/** Web App Manifest. What is shared from other apps opens the form for a post, filled in (`sharedIn` in load-composer.ts). */
function manifest(context: PageContext): Response {
  const { site, assets, say } = context;
  const icon = (name: string, edge: number, purpose: string) => ({
    src: `${assets}/${name}.png`,
    sizes: `${edge}x${edge}`,
    type: "image/png",
    purpose,
  });
  return json(context, {
    id: "/network",
    name: site.name,
    short_name: site.name.slice(0, 12).trim(),
    start_url: "/network",
    scope: "/",
    display: "standalone",
    background_color: "#eef3f0",
    theme_color: "#eef3f0",
    icons: site.look?.logo
      ? (["small", "large"] as const).map((size) => ({
          src: logoOf(context, size),
          sizes: size === "small" ? "192x192" : "512x512",
          type: "image/png",
          purpose: "any",
        }))
      : [
          icon("icon-192", 192, "any"),
          icon("icon-512", 512, "any"),
          icon("icon-maskable", 512, "maskable"),
          { src: `${assets}/logo.svg`, sizes: "any", type: "image/svg+xml", purpose: "any" },
        ],
    shortcuts: [
      { name: say("layout.notices"), url: "/notifications" },
      { name: say("layout.messages"), url: "/mail" },
    ],
    share_target: {
      action: "/network",
      method: "GET",
      enctype: "application/x-www-form-urlencoded",
      params: { title: "title", text: "text", url: "url" },
    },
  });
}

/** Kept by browsers (assets/service-worker.js), and shown in the place of any page that cannot be reached. */
function offline(context: PageContext): Promise<Response> {
  const { say } = context;
  const main = html`<div class="empty">
    <h1>${say("site.offline")}</h1>
    <p>${say("site.offline-lead")}</p>
    <p><a class="button primary" href="">${say("site.try-again")}</a></p>
  </div>`;
  return show(context, { title: say("site.not-connected"), main });
}
