import { siteNick } from "../../../domain/identity/channels/site-actor.ts";
import { hostOf, isHere } from "../../../domain/identity/xchans/web-url.ts";
import type { Hub } from "../../../hub.ts";

/**
 * The nick that a resource of WebFinger names: `acct:nick@host`, with or without `acct:` and `@`, or the address of a channel or
 * of the site. Undefined for what is not of this hub.
 */
export function nickOf(hub: Hub, resource: string): string | undefined {
  const text = unescaped(resource.trim())
    .replace(/^acct:/i, "")
    .replace(/^@/, "");
  if (hostOf(text) === undefined || !isHere(hub, text)) return undefined;
  const nick = /^https?:/i.test(text) ? nickInPath(hub, new URL(text)) : text.slice(0, text.indexOf("@"));
  return nick?.toLowerCase();
}

function nickInPath({ config }: Hub, { origin, pathname }: URL): string | undefined {
  if (origin !== new URL(config.baseUrl).origin) return undefined;
  if (pathname === "/" || pathname === "/actor") return siteNick;
  return /^\/(?:channel\/|profile\/|@)([^/@]+)\/?$/.exec(pathname)?.[1];
}

/** Some escape what they ask for twice. */
function unescaped(text: string): string {
  try {
    return /%(?:3a|2f|40)/i.test(text) ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}
