/** What a request would rather have: a document, a page, or neither (federation contract 2.1). */
export type Wanted = "document" | "page" | "neither";

const documents = ["application/activity+json", "application/ld+json"];
const pages = ["text/html", "application/xhtml+xml"];
const either = ["*/*", "application/*", "text/*"];
/** What discovery asks for, where no page has the address. */
const others = ["application/json", "application/jrd+json", "application/xrd+xml", "application/xml", "text/xml"];

/**
 * Reads an `Accept` header; one that is absent or unreadable asks for what a browser would get, which is the document where there
 * is no page.
 */
export function wantedBy(accept: string | null, hasPage: boolean): Wanted {
  const types = readTypes(accept ?? "");
  if (!hasPage) {
    const known = [...documents, ...pages, ...either, ...others];
    return types.length === 0 || best(types, known) > 0 ? "document" : "neither";
  }
  if (types.length === 0) return "page";
  const [document, page] = [best(types, documents), best(types, pages)];
  if (document > 0) return document > page ? "document" : "page";
  if (types.every(({ name }) => name === "application/json")) return "document";
  return page > 0 || best(types, either) > 0 ? "page" : "neither";
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
