import { attribute, escapeHtml } from "../escape.ts";
import { safeUrl } from "../safe-url.ts";
import type { Context, Renderer, RendererTable } from "./context.ts";
import type { BbElement } from "./tree.ts";

/** The signs that may stand before a link and make it a mention, hashtag or bookmark. */
export type Sign = "@" | "@!" | "!" | "!!" | "#" | "#^";

const classes: Record<Sign, string> = {
  "@": "mention",
  "@!": "mention",
  "!": "mention",
  "!!": "mention",
  "#": "hashtag",
  "#^": "bookmark",
};

/** The sign at the end of the text before a link, if there is one. */
export function signBefore(text: string, linkName: string): Sign | undefined {
  const sign = /(?:@!?|#\^?|(?<![\p{L}\p{N}=/?!])!!?)$/u.exec(text.slice(-4))?.[0];
  if (sign === undefined) return undefined;
  // An exclamation mark is mostly one; only links inside the network can be forums.
  return sign.startsWith("!") && linkName !== "zrl" ? undefined : (sign as Sign);
}

/** Whether an element is a link that a sign can belong to. */
export function isLink(element: BbElement): boolean {
  return element.tag.name === "url" || element.tag.name === "zrl";
}

/** A link with the sign that stood before it; undefined when its target is no URL. */
export function renderLink(element: BbElement, context: Context, sign?: Sign): string | undefined {
  const { tag } = element;
  const target = linkTarget(tag.value ?? tag.raw ?? "", context);
  if (target === undefined && tag.value === undefined) return undefined;
  const label =
    tag.raw === undefined ? context.render(element.children, { ...context, inLink: true }) : escapeHtml(tag.raw.trim());
  const shown = sign === undefined || sign === "#^" ? label : sign + label;
  if (context.inLink || target === undefined) return shown;
  const kinds = [sign === undefined ? "" : classes[sign], tag.name === "zrl" ? "zrl" : ""];
  return anchor(target, kinds.join(" ").trim(), shown);
}

function anchor(target: string, kind: string, label: string): string {
  return `<a${attribute("class", kind)}${attribute("href", target)}>${label}</a>`;
}

/** People write host names without a scheme; everything else is left to the rules for URLs. */
function linkTarget(written: string, { site }: Context): string | undefined {
  const url = written.trim();
  const isHost = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?:[/?#]|$)/i.test(url);
  return safeUrl(isHost ? `https://${url}` : url, "link", site.baseUrl);
}

const mail: Renderer = (element, context) => {
  const { tag } = element;
  const address = (tag.value ?? tag.raw ?? "").trim();
  if (!/^[^\s@<>"]{1,200}@[^\s@<>"]{1,200}$/.test(address)) return undefined;
  if (tag.raw !== undefined) return anchor(`mailto:${address}`, "", escapeHtml(address));
  return anchor(`mailto:${address}`, "", context.render(element.children, { ...context, inLink: true }));
};

const maps = "https://www.openstreetmap.org/";
const place = /^\s*(-?\d{1,3}(?:\.\d{1,12})?)[,\s]\s*(-?\d{1,3}(?:\.\d{1,12})?)\s*$/;

const map: Renderer = ({ tag }) => {
  if (tag.raw !== undefined) {
    const target = `${maps}search?query=${encodeURIComponent(tag.raw.trim().toWellFormed())}`;
    return anchor(target, "map", escapeHtml(tag.raw.trim()));
  }
  if (tag.value === undefined) return anchor(maps, "map", "Map");
  const [, latitude, longitude] = place.exec(tag.value) ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  const target = `${maps}?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return anchor(target, "map", `${latitude}, ${longitude}`);
};

const rpost: Renderer = ({ tag }, { site }) => {
  const body = (tag.raw ?? "").trim();
  const title = tag.value ?? "";
  const query = new URLSearchParams({ title, body }).toString();
  return anchor(`${site.baseUrl}/rpost?${query}`, "rpost", escapeHtml(title || body));
};

/** A card would need the page fetched by a trusted provider; without one it is a link. */
const embed: Renderer = ({ tag }, context) => {
  const target = linkTarget(tag.raw ?? "", context);
  return target === undefined ? undefined : anchor(target, "embed", escapeHtml((tag.raw ?? "").trim()));
};

/** Tags that become links. */
export const linkTags: RendererTable = {
  url: (element, context) => renderLink(element, context),
  zrl: (element, context) => renderLink(element, context),
  mail,
  map,
  rpost,
  embed,
  // Attachment codes are taken out of a body when it is posted; one that is left over refers to nothing.
  attachment: () => "",
};

/** A contents list of the headings. */
export const toc: Renderer = ({ tag }, { anchors, toc: first }) => {
  if (tag !== first) return "";
  const entries = [...anchors.values()].map(({ id, label }) => {
    return `<li><a href="#${id}">${escapeHtml(label)}</a></li>`;
  });
  return entries.length === 0 ? "" : `<ul class="toc">${entries.join("")}</ul>`;
};

/** The content of a link to a person or page made by a renderer, without a class. */
export function plainLink(target: string, label: string, context: Context): string {
  const url = safeUrl(target, "link", context.site.baseUrl);
  return url === undefined || context.inLink ? label : anchor(url, "", label);
}
