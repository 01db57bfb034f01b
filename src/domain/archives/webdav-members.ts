import { Parser } from "htmlparser2";
import type { PlacedFile } from "../../storage/places/place.ts";

/** The files that stand in the answer of a WebDAV server about this folder (PROPFIND); it says their properties in any namespace. */
export function readMembers(xml: string, folder: URL): PlacedFile[] {
  const found: PlacedFile[] = [];
  let words: Record<string, string> = {};
  let text = "";
  const parser = new Parser(
    {
      onopentag(name) {
        if (localOf(name) === "response") words = {};
        text = "";
      },
      ontext: (more) => void (text += more),
      onclosetag(name) {
        words[localOf(name)] = text.trim();
        text = "";
        const file = localOf(name) === "response" ? fileIn(words, folder) : undefined;
        if (file) found.push(file);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found;
}

function localOf(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

/** Undefined for folders, and for what is not right in this one. */
function fileIn(words: Record<string, string>, folder: URL): PlacedFile | undefined {
  const path = URL.parse(words["href"] ?? "", folder.href)?.pathname ?? "";
  if ("collection" in words || path.endsWith("/")) return undefined;
  try {
    const name = decodeURIComponent(path.split("/").at(-1)!);
    return { name, since: new Date(words["getlastmodified"] ?? ""), size: Number(words["getcontentlength"] ?? 0) };
  } catch {
    return undefined;
  }
}
