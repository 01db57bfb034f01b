import { createRequire } from "node:module";
import type { Attributes, default as Sanitize, IOptions, Tag } from "sanitize-html";
import { allowedAttributes, allowedClasses, allowedTags } from "./allowed-html.ts";
import { limitDepth } from "./html-depth.ts";
import { safeStyle } from "./safe-style.ts";
import { leavesSite, safeUrl } from "./safe-url.ts";
import type { UrlUse } from "./safe-url.ts";
import { isViewerMark, sealViewerMarks, viewerSeal } from "./viewer-marks.ts";

const viewerTags = ["viewer-data", "viewer-if"];
const known = new Set([...allowedTags, ...viewerTags]);
const rejected = "rejected";

let sanitize: typeof Sanitize | undefined;

/** The one HTML filter: whatever goes in, what comes out is well-formed and harmless. */
export function filterHtml(html: string, baseUrl: string): string {
  let sawUnknown = false;
  const options = makeOptions((name, attributes) => {
    const tag = transform(name, attributes, baseUrl);
    if (!known.has(name) || tag.tagName === rejected) sawUnknown = true;
    return tag;
  });
  // With its parsers of HTML and CSS it is a part of each start that nobody needs before the first text.
  sanitize ??= createRequire(import.meta.url)("sanitize-html") as typeof Sanitize;
  let clean = sanitize(limitDepth(html), options);
  // Leaving out an element can bring two others together that HTML does not nest; reading it again parts them.
  if (sawUnknown) clean = sanitize(clean, { ...options, transformTags: secondPass(options) });
  return sealViewerMarks(clean.replaceAll(" />", ">").replaceAll("<p></p>", ""));
}

function makeOptions(transformTag: (name: string, attributes: Attributes) => Tag): IOptions {
  return {
    allowedTags: [...allowedTags, ...viewerTags],
    allowedAttributes: { ...allowedAttributes, "viewer-data": ["what"], "viewer-if": ["what"] },
    allowedClasses: { "*": allowedClasses },
    allowedSchemes: ["http", "https", "ftp", "mailto", "tel", "xmpp", "geo"],
    allowedSchemesByTag: { img: ["http", "https", "ftp", "data"] },
    selfClosing: ["br", "col", "hr", "img", "input", "source", "wbr"],
    allowProtocolRelative: false,
    nestingLimit: 200,
    // Our own style check is stricter than a CSS parser and a good deal faster.
    parseStyleAttributes: false,
    nonTextTags: "script style textarea option xmp title noembed noframes noscript template".split(" "),
    transformTags: { "*": transformTag },
  };
}

/** In the second pass viewer elements have shown their seal already, and it is gone. */
function secondPass(options: IOptions): NonNullable<IOptions["transformTags"]> {
  const first = options.transformTags?.["*"];
  return {
    "*": (name, attributes) =>
      viewerTags.includes(name) || typeof first !== "function"
        ? { tagName: name, attribs: attributes }
        : first(name, attributes),
  };
}

function transform(name: string, attributes: Attributes, baseUrl: string): Tag {
  if (viewerTags.includes(name)) return viewerTag(name, attributes);
  if (name === "input") return checkBox(attributes);
  cleanUrls(name, attributes, baseUrl);
  if (name === "img" && attributes["src"] === undefined) return { tagName: rejected, attribs: {} };
  if (name === "img") cleanLooks(attributes);
  cleanStyle(attributes);
  cleanId(attributes);
  return { tagName: name, attribs: attributes };
}

function viewerTag(name: string, attributes: Attributes): Tag {
  const what = attributes["what"] ?? "";
  const isOurs = attributes["seal"] === viewerSeal() && isViewerMark(what);
  return { tagName: isOurs ? name : rejected, attribs: { what } };
}

function checkBox(attributes: Attributes): Tag {
  if (attributes["type"]?.toLowerCase() !== "checkbox") return { tagName: rejected, attribs: {} };
  const checked = attributes["checked"] === undefined ? {} : { checked: "" };
  const kept = attributes["class"] === undefined ? {} : { class: attributes["class"] };
  return { tagName: "input", attribs: { type: "checkbox", disabled: "", ...checked, ...kept } };
}

const urlAttributes = ["href", "src", "poster", "cite"];

function cleanUrls(name: string, attributes: Attributes, baseUrl: string): void {
  for (const key of urlAttributes) {
    const value = attributes[key];
    if (value === undefined) continue;
    const url = safeUrl(value, useOf(name, key), baseUrl);
    if (url === undefined) delete attributes[key];
    else attributes[key] = key === "href" ? prefixedFragment(url) : url;
  }
  delete attributes["rel"];
  const target = attributes["href"];
  if (target !== undefined && leavesSite(target, baseUrl)) attributes["rel"] = "nofollow noopener";
}

function useOf(name: string, key: string): UrlUse {
  if (key === "href" || key === "cite") return "link";
  return name === "img" ? "image" : "media";
}

/** What pictures look like from afar (blurha.sh), and the point of them that stays in sight. */
const looks = {
  "data-blurhash": /^[\w#$%*+,.:;=?@[\]^{|}~-]{6,100}$/,
  "data-focus": /^-?[01](?:\.\d{1,3})?,-?[01](?:\.\d{1,3})?$/,
};

function cleanLooks(attributes: Attributes): void {
  for (const [name, form] of Object.entries(looks)) if (!form.test(attributes[name] ?? "")) delete attributes[name];
}

function cleanStyle(attributes: Attributes): void {
  if (attributes["style"] === undefined) return;
  const style = safeStyle(attributes["style"]);
  if (style === "") delete attributes["style"];
  else attributes["style"] = style;
}

/** Anchors the renderers make themselves; the prefix keeps them apart from the ids of the page. */
const anchor = /^(?:body-)?((?:fn|fnref|section)-[0-9a-z]{1,8}-\d{1,4}(?::\d{1,4})?)$/;

function cleanId(attributes: Attributes): void {
  const id = attributes["id"];
  if (id === undefined) return;
  const name = anchor.exec(id)?.[1];
  if (name === undefined) delete attributes["id"];
  else attributes["id"] = `body-${name}`;
}

function prefixedFragment(url: string): string {
  const name = url.startsWith("#") ? anchor.exec(url.slice(1))?.[1] : undefined;
  return name === undefined ? url : `#body-${name}`;
}
