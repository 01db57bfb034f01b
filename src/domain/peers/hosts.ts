import { refusal } from "../../errors.ts";

/**
 * The host of an address or a host as somebody writes it, in the one form in which hosts compare: small letters, ASCII, with the
 * port only where it is not the scheme's own. Throws invalid.
 */
export function readHost(text: string): string {
  const bare = text
    .trim()
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/^(\*?\.|@)/, "")
    .replace(/[/?#].*$/s, "")
    .replace(/\.$/, "");
  const url = `https://${bare}`;
  if (!/^[^\s@\\]{1,253}$/.test(bare) || !URL.canParse(url)) throw refusal("host_wrong");
  return new URL(url).host;
}

/** The names that a rule may have for this host, the narrowest first: with its port, without it, and the domains around it. */
export function domainsAround(host: string): string[] {
  const name = host.replace(/:\d+$/, "");
  const labels = name.split(".");
  const around = labels.map((_, at) => labels.slice(at).join("."));
  return host === name ? around : [host, ...around];
}
