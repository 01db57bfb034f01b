const linkSchemes = new Set(["http", "https", "ftp", "mailto", "tel", "xmpp", "geo"]);
const mediaSchemes = new Set(["http", "https", "ftp"]);
const rasterImage = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[a-z0-9+/=]*$/i;

/** Where a URL stands: followed by a person, fetched by the browser, or shown as an image. */
export type UrlUse = "link" | "media" | "image";

/**
 * A URL that is safe to follow or fetch, made absolute, or undefined. Paths are resolved against this site, because
 * bodies are also read outside of its pages.
 */
export function safeUrl(value: string, use: UrlUse, baseUrl: string): string | undefined {
  // Browsers drop control characters before they look at the scheme, so they must not hide one here.
  const url = withoutControls(value).trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return absolute(url, use, baseUrl);
  if (scheme === "data") return use === "image" && rasterImage.test(url) ? url : undefined;
  return (use === "link" ? linkSchemes : mediaSchemes).has(scheme) ? url : undefined;
}

function absolute(url: string, use: UrlUse, baseUrl: string): string | undefined {
  if (url.startsWith("#")) return use === "link" ? url : undefined;
  if (url.startsWith("//")) return `https:${url}`;
  return url.startsWith("/") ? baseUrl + url : undefined;
}

function withoutControls(value: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is searched
  return value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g, "");
}

/** Whether following the URL leaves the site; fragments and schemes without a host do not. */
export function leavesSite(url: string, baseUrl: string): boolean {
  if (!/^(?:https?|ftp):/i.test(url)) return false;
  return !URL.canParse(url) || new URL(url).host !== hostOf(baseUrl);
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : "";
}
