import { forgetAnnouncements, readAnnouncement } from "../../../domain/announcements/announcements.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import type { Heard } from "../../../domain/listeners/heard.ts";
import { unlessMissing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { presentAnnouncement } from "../announcements/present-announcement.ts";

/** What a reader is told of what the hub says to all members: events with their payloads. */
export async function newsOfAnnouncements(
  hub: Hub,
  { channelId }: Observer,
  heard: readonly Heard[],
): Promise<{ event: string; payload: string }[]> {
  const told = [];
  for (const one of heard) {
    if (!("announcement" in one)) continue;
    const { announcement: id } = one;
    if (one.what === "announcement") forgetAnnouncements(hub);
    const read = await unlessMissing(readAnnouncement(hub, channelId, id));
    if (one.what === "announcement") {
      told.push(
        read
          ? { event: "announcement", payload: JSON.stringify(presentAnnouncement(read)) }
          : { event: "announcement.delete", payload: String(id) },
      );
    } else if (read) {
      const count = read.reactions.find(({ name }) => name === one.name)?.count ?? 0;
      const payload = JSON.stringify({ name: one.name, count, announcement_id: String(id) });
      told.push({ event: "announcement.reaction", payload });
    }
  }
  return told;
}
