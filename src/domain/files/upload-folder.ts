import type { Channel } from "../identity/channels/channel.ts";
import { channelSetting } from "../identity/channels/channel-settings.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { fromSqlDate } from "../../storage/sql.ts";
import { ensureFolder } from "./insert.ts";
import { openLists } from "./lists.ts";
import { tidyName } from "./names.ts";
import type { File } from "./types.ts";

/** The path of the directory that uploads of this kind go to, by the channel's settings and its calendar. */
export async function uploadFolder(hub: Hub, channel: Channel, kind: "photo" | "file"): Promise<string> {
  const pattern = await channelSetting(hub, channel.channel_id, kind === "photo" ? "photoFolder" : "fileFolder");
  const today = calendarOf(fromSqlDate(now(hub)), channel.channel_timezone);
  const path = pattern.replace(/%([Ymd])/g, (_all, sign: string) => today[sign]!);
  // A setting that makes a bad name must not make uploads fail.
  return path
    .split("/")
    .filter((name) => name.trim() !== "")
    .map((name) => tidyName(name))
    .join("/");
}

function calendarOf(moment: Date, zone: string): Record<string, string> {
  const parts = formatOf(zone).formatToParts(moment);
  const part = (type: string): string => parts.find((one) => one.type === type)!.value;
  return { Y: part("year"), m: part("month"), d: part("day") };
}

/** A zone that this machine does not know counts as UTC. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const form = { calendar: "gregory", year: "numeric", month: "2-digit", day: "2-digit" } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { ...form, timeZone: zone || "UTC" });
  } catch {
    return new Intl.DateTimeFormat("en-US", { ...form, timeZone: "UTC" });
  }
}

/**
 * The directory that uploads of this kind go to, made if need be. Directories made for it name nobody, so that each file in
 * them can have the audience of the post that it was sent with (native contract 4.4 step 6).
 */
export async function ensureUploadFolder(
  hub: Hub,
  owner: Channel,
  kind: "photo" | "file",
  creator: string,
): Promise<File | undefined> {
  return ensureFolder(hub, owner, await uploadFolder(hub, owner, kind), creator, openLists);
}
