import { attribute, escapeHtml } from "../escape.ts";
import { isColour } from "../safe-style.ts";
import { inner } from "./context.ts";
import type { Renderer, RendererTable } from "./context.ts";

const sizes = /^(?:(?:xx?-)?(?:small|large)|medium)$/i;
const smallest = 6;
const largest = 60;

const wrap =
  (name: string): Renderer =>
  (element, context) =>
    `<${name}>${inner(element, context)}</${name}>`;

const styled =
  (style: string): Renderer =>
  (element, context) =>
    `<span${attribute("style", style)}>${inner(element, context)}</span>`;

const color: Renderer = (element, context) => {
  const value = element.tag.value ?? "";
  return isColour(value) ? styled(`color:${value}`)(element, context) : undefined;
};

const marked: Renderer = (element, context) => {
  const value = element.tag.value;
  if (value === undefined) return wrap("mark")(element, context);
  if (!isColour(value)) return undefined;
  return `<mark${attribute("style", `background-color:${value}`)}>${inner(element, context)}</mark>`;
};

const highlighted: Renderer = (element, context) => {
  const value = element.tag.value ?? "yellow";
  return isColour(value) ? styled(`background-color:${value}`)(element, context) : undefined;
};

const size: Renderer = (element, context) => {
  const value = element.tag.value ?? "";
  if (sizes.test(value)) return styled(`font-size:${value.toLowerCase()}`)(element, context);
  if (!/^\d{1,4}(?:px)?$/.test(value)) return undefined;
  const pixels = Math.min(largest, Math.max(smallest, parseInt(value, 10)));
  return styled(`font-size:${pixels}px`)(element, context);
};

const font: Renderer = (element, context) => {
  const value = element.tag.value ?? "";
  const isName = /^[\p{L}\d\s,'-]{1,100}$/u.test(value);
  return isName ? styled(`font-family:${value}`)(element, context) : undefined;
};

const code: Renderer = ({ tag }) => {
  const raw = tag.raw ?? "";
  const language = /^[\w+#.-]{1,30}$/.exec(tag.value ?? "")?.[0]?.toLowerCase();
  const kind = attribute("class", language === undefined ? "" : `language-${language}`);
  if (!raw.includes("\n")) return `<code${kind}>${escapeHtml(raw)}</code>`;
  return `<pre><code${kind}>${escapeHtml(raw.replace(/^\r?\n/, ""))}</code></pre>`;
};

const verbatim: Renderer = ({ tag }) => escapeHtml(tag.raw ?? "").replace(/\r\n?|\n/g, "<br>");

/** Tags that change how a run of text looks. */
export const textTags: RendererTable = {
  b: wrap("strong"),
  i: wrap("em"),
  u: wrap("u"),
  s: wrap("s"),
  o: styled("text-decoration:overline"),
  sup: wrap("sup"),
  sub: wrap("sub"),
  bdi: wrap("bdi"),
  mark: marked,
  hl: highlighted,
  color,
  size,
  font,
  code,
  nobb: verbatim,
  noparse: verbatim,
  pre: ({ tag }) => `<pre>${escapeHtml((tag.raw ?? "").replace(/^\r?\n/, ""))}</pre>`,
  "&": ({ tag }) => tag.value,
  nosmile: () => "",
  baseurl: (_, { site }) => escapeHtml(site.baseUrl),
  sitename: (_, { site }) => escapeHtml(site.name),
};
