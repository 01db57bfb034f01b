import type { Hub } from "../../hub.ts";
import { withMediaAddresses } from "../bodies/media-addresses.ts";
import { proxied } from "./addresses.ts";
import type { Source } from "./addresses.ts";

/**
 * Filtered HTML in which pictures, films and sounds of other sites have our own addresses: what comes from elsewhere is stored so,
 * and everything else is shown so (decision 51). Done twice, it changes nothing more.
 */
export function withProxiedMedia(
  hub: Pick<Hub, "config" | "mediaKey">,
  html: string,
  about?: (url: string) => Omit<Source, "url">,
): string {
  return withMediaAddresses(html, (url) => proxied(hub, url, about?.(url)));
}
