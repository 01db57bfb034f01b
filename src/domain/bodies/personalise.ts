import { escapeHtml } from "./escape.ts";

/** Who reads a body; undefined is an anonymous visitor. */
export type Viewer =
  | { name: string; address: string; url: string; photo: string; language: string; local: boolean; zone?: string }
  | undefined;

const start = "<!--viewer ";
const mark = /<!--viewer ([a-z0-9=! -]{1,60}?)-->/g;

/** Fills in what a rendered body shows differently to different viewers; other bodies come back as they are. */
export function personalise(html: string, viewer: Viewer): string {
  return resolveMarks(viewer?.zone === undefined ? html : localTimes(html, viewer.zone), viewer);
}

/** The times of events, which stand there in UTC, on the clock of a zone, which is named. */
export function localTimes(html: string, zone: string): string {
  if (!html.includes('<time datetime="')) return html;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
  return html.replace(
    /(<time datetime="(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z)">)\d{4}-\d\d-\d\d \d\d:\d\d UTC(?=<\/time>)/g,
    (whole, tag: string, moment: string) =>
      Number.isNaN(Date.parse(moment)) ? whole : tag + format.format(new Date(moment)),
  );
}

function resolveMarks(html: string, viewer: Viewer): string {
  if (!html.includes(start)) return html;
  const conditions: boolean[] = [];
  let result = "";
  let done = 0;
  for (const match of html.matchAll(mark)) {
    const what = match[1] ?? "";
    const isShown = !conditions.includes(false);
    if (isShown) result += html.slice(done, match.index);
    done = match.index + match[0].length;
    if (what === "end") conditions.pop();
    else if (what.startsWith("if ")) conditions.push(holds(what.slice(3), viewer));
    else if (isShown) result += dataOf(what, viewer);
  }
  return result + html.slice(done);
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
