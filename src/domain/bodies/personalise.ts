import { escapeHtml } from "./escape.ts";
import { htmlPieces } from "./html-tokens.ts";
import { clockOf } from "./told-times.ts";

/** Who reads a body; undefined is an anonymous visitor. */
export type Viewer =
  | { name: string; address: string; url: string; photo: string; language: string; local: boolean; zone?: string }
  | undefined;

const start = "<!--viewer ";
const mark = /^<!--viewer ([a-z0-9=! -]{1,60})-->$/;

/**
 * Fills in what a rendered body shows differently to different viewers; other bodies come back as they are. The times of
 * events, which stand there for programs, are told on the clock of the zone, if there is one, and in the language of the locale.
 */
export function personalise(
  html: string,
  viewer: Viewer,
  { zone = viewer?.zone, locale = "en-GB" }: { zone?: string | undefined; locale?: string } = {},
): string {
  const clock = zone !== undefined && html.includes('<time datetime="') ? clockOf(zone, locale) : undefined;
  if (!clock && !html.includes(start)) return html;
  const conditions: boolean[] = [];
  let result = "";
  for (const piece of htmlPieces(html)) {
    const isShown = !conditions.includes(false);
    const [, what] = piece.kind === "mark" ? (mark.exec(piece.source) ?? []) : [];
    if (what === "end") conditions.pop();
    else if (what?.startsWith("if ")) conditions.push(holds(what.slice(3), viewer));
    else if (isShown && what !== undefined) result += dataOf(what, viewer);
    else if (isShown) result += clock?.(piece) ?? piece.source;
  }
  return result;
}

function holds(condition: string, viewer: Viewer): boolean {
  const [, name, not, value = ""] = /^([a-z]+)(!?)=(.*)$/.exec(condition) ?? [];
  if (name === "observer") return (viewer !== undefined) === (value === "1");
  if (name === "channel") return (viewer?.local ?? false) === (value === "1");
  return speaks(viewer?.language ?? "", value) === (not === "");
}

/** `en` in a body also means a viewer with `en-gb`. */
function speaks(language: string, wanted: string): boolean {
  const own = language.toLowerCase().replace("_", "-");
  return own === wanted || own.startsWith(`${wanted}-`);
}

/** A viewer's data comes from another hub, so it is no more trusted than a body. */
function dataOf(what: string, viewer: Viewer): string {
  if (viewer === undefined) return "";
  if (what === "photo") {
    const isImage = /^https?:\/\//i.test(viewer.photo);
    return isImage ? `<img class="avatar" src="${escapeHtml(viewer.photo)}" alt="">` : "";
  }
  return escapeHtml(textOf(what, viewer));
}

function textOf(what: string, viewer: NonNullable<Viewer>): string {
  if (what === "name") return viewer.name;
  if (what === "address") return viewer.address;
  if (what === "url") return viewer.url;
  if (what === "webname") return viewer.address.split("@")[0] ?? "";
  return what === "baseurl" && URL.canParse(viewer.url) ? new URL(viewer.url).origin : "";
}
