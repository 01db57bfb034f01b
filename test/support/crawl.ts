import type { VisitedPage, Visitor } from "./visitor.ts";

/** A form as a page shows it. */
export type ShownForm = {
  action: string;
  fields: { name: string; values: string[]; file: boolean }[];
};

/** Follows the links of a site from page to page, at most so many of each kind. */
export async function crawl(
  visitor: Visitor,
  start: readonly string[],
  kindOf: (path: string) => string | undefined,
  seen: (path: string, answer: VisitedPage) => void,
  mostOfKind = 4,
): Promise<{ paths: string[]; forms: ShownForm[] }> {
  const [waiting, known, counts] = [[...start], new Set(start), new Map<string, number>()];
  const forms = new Map<string, ShownForm>();
  const paths: string[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const answer = await visitor.get(path);
    seen(path, answer);
    paths.push(path);
    if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
    for (const form of formsIn(answer.text, path)) {
      const key = `${kindOf(form.action)} ${form.fields.map((field) => field.name).join(" ")}`;
      if (!forms.has(key)) forms.set(key, form);
    }
    for (const link of linksIn(answer.text, path)) {
      // Pages have most of their links in common.
      if (known.has(link)) continue;
      known.add(link);
      const kind = `${kindOf(link)} ${[...new URLSearchParams(link.split("?")[1] ?? "").keys()].join(" ")}`;
      if (kindOf(link) === undefined || (counts.get(kind) ?? 0) >= mostOfKind) continue;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      waiting.push(link);
    }
  }
  return { paths, forms: [...forms.values()] };
}

function linksIn(page: string, here: string): string[] {
  return [...page.matchAll(/<(?:a|img|source|link)\s[^>]*?(?:href|src)="([^"]*)"/g)].flatMap((found) =>
    localOf(plainText(found[1]!), here),
  );
}

function localOf(link: string, here: string): string[] {
  const base = "http://hub.example";
  if (!URL.canParse(link, base + here)) return [];
  const url = new URL(link, base + here);
  return url.origin === base ? [url.pathname + url.search] : [];
}

function formsIn(page: string, here: string): ShownForm[] {
  const forms: ShownForm[] = [];
  for (const [, head = "", inner = ""] of page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    if (!/method="post"/i.test(head)) continue;
    const [action] = localOf(plainText(/action="([^"]*)"/.exec(head)?.[1] ?? here), here);
    if (action !== undefined) forms.push({ action, fields: fieldsIn(inner) });
  }
  return forms;
}

function fieldsIn(inner: string): ShownForm["fields"] {
  const fields = new Map<string, { name: string; values: string[]; file: boolean }>();
  for (const [tag] of inner.matchAll(/<(?:input|button|textarea|select|option)\b[^>]*>/g)) {
    const current = [...fields.values()].at(-1);
    const value = plainText(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "");
    if (tag.startsWith("<option")) {
      current?.values.push(value);
      continue;
    }
    const name = plainText(/\bname="([^"]*)"/.exec(tag)?.[1] ?? "");
    if (name === "" || name === "form_security_token") continue;
    const field = fields.get(name) ?? { name, values: [], file: /type="file"/.test(tag) };
    field.values.push(value);
    fields.set(name, field);
  }
  return [...fields.values()];
}

function plainText(escaped: string): string {
  return escaped
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
