/**
 * The path within this hub that a link back names; `otherwise` for anything that would lead elsewhere. A browser reads
 * `//host`, `/\host` and paths with control characters as other sites, so the path is taken apart as a browser does it.
 */
export function localPath(text: string, otherwise = "/"): string {
  // Most are nothing but names, which nobody reads in another way.
  if (text.length <= 2000 && plainPath.test(text)) return text;
  const base = "http://hub.invalid";
  if (!text.startsWith("/") || text.length > 2000 || !URL.canParse(text, base)) return otherwise;
  const url = new URL(text, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return otherwise;
  return url.pathname + url.search + url.hash;
}

const plainPath = /^(?:\/\w[\w.-]*)+$/;

/** An address of this hub without its host, so that people stay on the name by which they came. */
export function withoutHost(baseUrl: string, url: string): string {
  return url.startsWith(`${baseUrl}/`) ? localPath(url.slice(baseUrl.length), url) : url;
}

/** The path with another value for one parameter of its query; an empty value removes it. */
export function withParameter(here: string, name: string, value: string): string {
  if (value === "" && plainPath.test(here)) return localPath(here);
  const url = new URL(here, "http://hub.invalid");
  if (value === "") url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return localPath(url.pathname + url.search);
}
