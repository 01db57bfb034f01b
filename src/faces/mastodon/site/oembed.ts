import { z } from "zod";
import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { getSetting } from "../../../domain/identity/site/site-settings.ts";
import { findByUrl } from "../../../domain/items/timelines/find-by-url.ts";
import { missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { optionalNumber, requiredText } from "../parameters.ts";
import { presentStatus } from "../present/status.ts";
import type { StatusObject } from "../present/status-object.ts";
import { seeing } from "../seeing.ts";
import { showStatuses } from "../statuses/status-answers.ts";

/** So wide is a post where the page that shows it does not say how much room there is. */
const usualWidth = 400;

/** Mastodon contract 12.2: what pages of others show of the address of a public post. */
export const oembedRows = [
  endpoint({
    path: "/api/oembed",
    methods: ["GET"],
    access: "public",
    summary: "What other sites may show of a public post of this hub, by its address (oEmbed).",
    answer: "Oembed",
    example: { url: "https://hub.example/item/5" },
    input: z.object({
      url: requiredText("Address of the post."),
      maxwidth: optionalNumber("How many pixels wide it may be."),
    }),
    async handle(hub, _caller, { url, maxwidth = usualWidth }) {
      const nobody = await seeing(hub, undefined);
      const item = await findByUrl(hub, nobody.observer, url);
      if (!item) throw missing("Item");
      const sheet = await showStatuses(hub, nobody, [item]);
      const [site, status] = [await getSetting(hub, "name"), presentStatus(sheet, item)];
      return { site, status, baseUrl: hub.config.baseUrl, width: Math.max(1, Math.min(maxwidth, usualWidth)) };
    },
    present: ({ site, status, baseUrl, width }) => ({
      type: "rich" as const,
      version: "1.0" as const,
      title: `New post by ${nameOf(status)}`,
      author_name: nameOf(status),
      author_url: status.account.url,
      provider_name: site,
      provider_url: baseUrl,
      cache_age: 3600,
      html: quotation(status),
      width,
      height: null,
    }),
  }),
];

function nameOf({ account }: StatusObject): string {
  return account.display_name || account.username;
}

/** The words behind their warning, where they have one; no scripts and no frames. */
function quotation(status: StatusObject): string {
  const url = escapeHtml(status.url ?? status.uri);
  const words = status.spoiler_text === "" ? status.content : `<p>${escapeHtml(status.spoiler_text)}</p>`;
  return `<blockquote cite="${url}">${words}<p>– <a href="${url}">${escapeHtml(nameOf(status))}</a></p></blockquote>`;
}
