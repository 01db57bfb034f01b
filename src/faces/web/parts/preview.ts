import { plainText } from "../../../domain/bodies/plain-text.ts";
import { isoDate } from "../../../http/dates.ts";
import { html, raw } from "../html.ts";
import type { Html, PageContext } from "../page.ts";
import { shorten } from "./shorten.ts";

/** What other programs show of a page whose address they are given. It says nothing but what anybody may see there. */
export type Preview = {
  kind: "website" | "profile" | "article";
  description: string;
  /** Where it is at home, if that is another page. */
  url?: string;
  /** Search engines are asked to leave it out: it is at home elsewhere, or by somebody who does not want to be found. */
  unlisted?: boolean;
  picture?: Picture | undefined;
  author?: { name: string; url: string } | undefined;
  /** Stored dates. */
  published?: string;
  changed?: string;
  /** Of something that happens at a time. */
  happening?: Happening;
};

/** When and where something happens, by the dates of ISO 8601. */
export type Happening = { start: string; end?: string; place: string };

/** Sizes are 0 where nobody knows them. */
export type Picture = { url: string; alt: string; width: number; height: number; isLarge: boolean };

const longestDescription = 250;

/** What describes a text that is there laid out only; no more of it is read than may be shown. */
export function beginningOf(laidOut: string): string {
  return plainText(laidOut.slice(0, 10 * longestDescription), "label");
}

/** The head of a page as Open Graph (https://ogp.me), schema.org and search engines read it. */
export function previewTags({ hub, site, path }: PageContext, title: string, preview: Preview): Html {
  const { kind, picture, author, published, changed } = preview;
  const { baseUrl } = hub.config;
  const url = preview.url ?? `${baseUrl}${path}`;
  const description = shorten(preview.description.replace(/\s+/g, " ").trim(), longestDescription);
  const image = picture && new URL(picture.url, baseUrl).href;
  const dates = { published: published && isoDate(published), changed: changed && isoDate(changed) };
  const graph: [property: string, content: string | number | undefined][] = [
    ["og:type", kind],
    ["og:site_name", site.name],
    ["og:title", title],
    ["og:url", url],
    ["og:description", description],
    ["og:image", image],
    ["og:image:alt", picture?.alt],
    ["og:image:width", picture?.width],
    ["og:image:height", picture?.height],
    ["article:author", kind === "article" ? author?.url : undefined],
    ["article:published_time", dates.published],
    ["article:modified_time", dates.changed],
  ];
  const data = structured(preview, { title, url, description, image, ...dates });
  return html`<link rel="canonical" href="${url}" />
    ${preview.unlisted ? html`<meta name="robots" content="noindex" />` : ""}
    ${description === "" ? "" : html`<meta name="description" content="${description}" />`}
    ${graph.flatMap(([property, content]) => (content ? [html`<meta property="${property}" content="${content}" />`] : []))}
    <meta name="twitter:card" content="${picture?.isLarge ? "summary_large_image" : "summary"}" />
    <script type="application/ld+json">
      ${raw(JSON.stringify(data).replaceAll("<", String.raw`\u003c`))}
    </script>`;
}

type Said = Record<"title" | "url" | "description", string> &
  Record<"image" | "published" | "changed", string | undefined>;

/** The same in the words of https://schema.org. */
function structured(
  { kind, author, happening }: Preview,
  { title, url, description, image, published, changed }: Said,
): object {
  const context = "https://schema.org";
  const person = { "@type": "Person", ...(author ?? { name: title, url }) };
  const about = { url, description, image };
  if (kind === "website") return { "@context": context, "@type": "WebSite", name: title, ...about };
  if (kind === "profile")
    return { "@context": context, "@type": "ProfilePage", mainEntity: { ...person, description, image } };
  if (happening)
    return {
      "@context": context,
      "@type": "Event",
      name: title,
      ...inTime(happening),
      organizer: author && person,
      ...about,
    };
  return {
    "@context": context,
    "@type": "SocialMediaPosting",
    headline: title,
    author: author && person,
    datePublished: published,
    dateModified: changed,
    ...about,
  };
}

function inTime({ start, end, place }: Happening): object {
  return {
    startDate: start,
    endDate: end,
    eventStatus: "https://schema.org/EventScheduled",
    location: place === "" ? undefined : { "@type": "Place", name: place, address: place },
  };
}
