/** What a request would rather have: a document, what stands beside it, or neither (federation contract 2.1). */
export type Wanted = "document" | "other" | "neither";

/** What has the same address as a document: a page, or the bytes of a file, which are of any type. */
export type Beside = "page" | "file";

const documents = ["application/activity+json", "application/ld+json"];
const pages = ["text/html", "application/xhtml+xml"];
const either = ["*/*", "application/*", "text/*"];
/** What discovery asks for, where no page has the address. */
const others = ["application/json", "application/jrd+json", "application/xrd+xml", "application/xml", "text/xml"];

/**
 * Reads an `Accept` header; one that is absent or unreadable asks for what a browser would get, which is the document where there
 * is nothing else. A file is meant by whoever does not name documents, or likes any type better or as well.
 */
export function wantedBy(accept: string | null, beside: Beside | undefined): Wanted {
  const types = readTypes(accept ?? "");
  if (beside === undefined) {
    const known = [...documents, ...pages, ...either, ...others];
    return types.length === 0 || best(types, known) > 0 ? "document" : "neither";
  }
  if (types.length === 0) return "other";
  const document = best(types, documents);
  const named = beside === "page" ? pages : types.map(({ name }) => name).filter(isOfFile);
  const other = best(types, named);
  if (document > 0) return document > other ? "document" : "other";
  if (beside === "file") return "other";
  if (types.every(({ name }) => name === "application/json")) return "document";
  return other > 0 || best(types, either) > 0 ? "other" : "neither";
}

/** Whoever takes anything has said nothing about files. */
function isOfFile(name: string): boolean {
  return name !== "*/*" && !documents.includes(name);
}

type MediaType = { name: string; quality: number };

function readTypes(accept: string): MediaType[] {
  return accept.split(",").flatMap((part) => {
    const [name = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    if (!/^[\w.+*-]+\/[\w.+*-]+$/.test(name)) return [];
    const given = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = given === undefined ? 1 : Number(given.slice(2));
    return [{ name, quality: quality >= 0 && quality <= 1 ? quality : 1 }];
  });
}

function best(types: readonly MediaType[], names: readonly string[]): number {
  return Math.max(0, ...types.filter(({ name }) => names.includes(name)).map(({ quality }) => quality));
}
