import type { Hub } from "../../../hub.ts";
import { channelUrlAt } from "../../identity/xchans/addresses.ts";
import { isForeignId } from "../../identity/xchans/foreign-ids.ts";
import { hostOf, isHere } from "../../identity/xchans/web-url.ts";
import type { Head } from "../sources/source.ts";

/** The id that the channel has where the export comes from; empty where that is here, or the export names no place. */
export function formerId(hub: Hub, { relocate: { url, nick } }: Pick<Head, "relocate">): string {
  const id = channelUrlAt(url, nick);
  return nick !== "" && isForeignId(id) && !isHere(hub, id) ? id : "";
}

/** The host of that place; undefined where that is here, or the export names none. */
export function formerHost(hub: Hub, { relocate: { url } }: Pick<Head, "relocate">): string | undefined {
  return isHere(hub, url) ? undefined : hostOf(url);
}
