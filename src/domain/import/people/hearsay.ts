import type { Hub } from "../../../hub.ts";
import type { RestoredHubloc, RestoredXchan } from "../../identity/restoring/restore-xchans.ts";
import { hostOf, isHere, webUrl } from "../../identity/xchans/web-url.ts";

/** What an export may say about others (decision 27): nothing by which they could pass for somebody else. */

const pictures = ["xchan_photo_l", "xchan_photo_m", "xchan_photo_s"] as const;
const places = ["xchan_connurl", "xchan_follow", "xchan_connpage", "xchan_instance_url"] as const;

const longest = 2048;

/** The identity without addresses that lead to this hub, to no host or to different ones. */
export function harmlessXchan<X extends RestoredXchan>(hub: Hub, xchan: X): X {
  const { addr, url } = agreed(foreignUrl(hub, xchan.xchan_url), xchan.xchan_addr);
  const rest = [...pictures, ...places].map((name) => [name, foreignUrl(hub, xchan[name])]);
  return { ...xchan, xchan_addr: addr, xchan_url: url, ...(Object.fromEntries(rest) as object) };
}

/** The location with addresses of its own host alone. */
export function harmlessHubloc<H extends RestoredHubloc>(hubloc: H): H {
  const url = webUrl(hubloc.hubloc_url);
  const host = hostOf(url);
  const own = (address = ""): string => (hostOf(address) === host ? address : "");
  return {
    ...hubloc,
    hubloc_url: url,
    hubloc_host: host ?? "",
    hubloc_addr: own(hubloc.hubloc_addr),
    hubloc_callback: own(hubloc.hubloc_callback),
    hubloc_connect: own(hubloc.hubloc_connect),
  };
}

/** A URL of the web that is not one of this hub; else nothing. */
function foreignUrl(hub: Hub, url = ""): string {
  return isHere(hub, url) || url.length > longest ? "" : webUrl(url);
}

/** Do the address and the URL of somebody disagree about the host? Then nobody knows which of them is true. */
export function disagree({ xchan_addr = "", xchan_url = "" }: RestoredXchan): boolean {
  return xchan_addr !== "" && webUrl(xchan_url) !== "" && hostOf(xchan_addr) !== hostOf(xchan_url);
}

function agreed(url: string, addr = ""): { addr: string; url: string } {
  if (addr === "") return { addr, url };
  const host = hostOf(addr);
  return host === undefined || (url !== "" && hostOf(url) !== host) ? { addr: "", url: "" } : { addr, url };
}
