import { attribute, escapeHtml } from "../escape.ts";
import { isRemoved, readShare, removedShare } from "../share-attributes.ts";
import { safeUrl } from "../safe-url.ts";
import { readAttributes } from "./attributes.ts";
import { inner } from "./context.ts";
import type { Renderer, RendererTable } from "./context.ts";
import { plainLink, toc } from "./link-tags.ts";

const heading: Renderer = (element, context) => {
  const { name } = element.tag;
  const id = attribute("id", context.anchors.get(element.tag)?.id);
  return `<${name}${id}>${inner(element, context)}</${name}>`;
};

const quote: Renderer = (element, context) => {
  const author = element.tag.value ?? "";
  const intro = author === "" ? "" : `<cite>${escapeHtml(author)}</cite><br>`;
  return `<blockquote>${intro}${inner(element, context)}</blockquote>`;
};

const share: Renderer = (element, context) => {
  const read = readShare(element.tag.attributes);
  const repeated = inner(element, context);
  if (isRemoved({ ...read, body: repeated })) return removedShare();
  const { author, profile, avatar, link, posted } = read;
  const picture = safeUrl(avatar, "media", context.site.baseUrl);
  const image =
    picture === undefined ? "" : `<img class="avatar"${attribute("src", picture)} alt="" width="32" height="32"> `;
  const name = plainLink(profile, escapeHtml(author || profile), context);
  const time = plainLink(link, escapeHtml(posted || link), context);
  const body = `<div class="shared-body">${repeated}</div>`;
  return `<article class="shared"><header>${image}${name} ${time}</header>${body}</article>`;
};

const folded =
  (label: string, kind: string): Renderer =>
  (element, context) => {
    const title = escapeHtml(element.tag.value || label);
    const content = inner(element, context);
    return `<details${attribute("class", kind)}><summary>${title}</summary>${content}</details>`;
  };

const crypt: Renderer = ({ tag }) => {
  const written = readAttributes(tag.attributes);
  const data = attribute("data-alg", written.get("alg")) + attribute("data-hint", written.get("hint"));
  return `<div class="crypt"${data}>${escapeHtml((tag.raw ?? "").trim())}</div>`;
};

/** Tags that make blocks. */
export const blockTags: RendererTable = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  center: (element, context) => `<div style="text-align:center">${inner(element, context)}</div>`,
  footer: (element, context) => `<footer><small>${inner(element, context)}</small></footer>`,
  hr: () => "<hr>",
  quote,
  share,
  spoiler: folded("Spoiler", "spoiler"),
  open: folded("Open", ""),
  crypt,
  toc,
};
