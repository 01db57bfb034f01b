import type { Hub } from "../../../hub.ts";

/** Is it an address that a browser opens as a page, and nothing that it would run? */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text);
}

/** The address if it is one of the web, else nothing. */
export function webUrl(text: string): string {
  return isWebUrl(text) ? text : "";
}

/** Host and port as they compare; undefined where there is none. Takes `nick@host` and URLs. */
export function hostOf(address: string): string | undefined {
  if (isWebUrl(address)) return plainHost(new URL(address).host);
  const host = /^[^@\s<>"]+@([^@\s<>"/?#]+)$/.exec(address)?.[1];
  return host !== undefined && URL.canParse(`https://${host}`) ? plainHost(new URL(`https://${host}`).host) : undefined;
}

function plainHost(host: string): string {
  return host.replace(/:(?:80|443)$/, "").replace(/\.(?=:|$)/, "");
}

/** Is it a URL, or an address of somebody, on this hub? */
export function isHere(hub: Hub, address: string): boolean {
  return hostOf(address) === hostOf(hub.config.baseUrl);
}
