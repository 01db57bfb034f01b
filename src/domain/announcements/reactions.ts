import { refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { emojiName, emojiNamed } from "../bodies/emoji-names.ts";
import { emit } from "../live/emit.ts";
import { readAnnouncement } from "./announcements.ts";

/** So many different emoji are said to one. */
const mostNames = 8;

/** Says something to an announcement by an emoji; repeating changes nothing. Throws missing, and invalid for what is no emoji, or one emoji too many. */
export async function addAnnouncementReaction(hub: Hub, uid: number, id: number, emoji: string): Promise<void> {
  const name = emojiNamed(emojiName(emoji) ?? "");
  await inTransaction(hub, async (hub) => {
    const { reactions } = await readAnnouncement(hub, uid, id);
    if (name === undefined) throw refusal("unknown_verb");
    if (!reactions.some((one) => one.name === name) && reactions.length >= mostNames)
      throw refusal("reactions_too_many");
    await hub.db
      .insertInto("announcement_reaction")
      .values({ announcement_id: id, name, uid, created: now(hub) })
      .onConflict((conflict) => conflict.columns(["announcement_id", "name", "uid"]).doNothing())
      .execute();
    await emit(hub, { what: "announcement-reaction", announcement: id, name });
  });
}

/** Takes it back; harmless where nothing was said. Throws missing. */
export async function removeAnnouncementReaction(hub: Hub, uid: number, id: number, emoji: string): Promise<void> {
  const name = emojiNamed(emojiName(emoji) ?? "") ?? "";
  await inTransaction(hub, async (hub) => {
    await readAnnouncement(hub, uid, id);
    await hub.db
      .deleteFrom("announcement_reaction")
      .where("announcement_id", "=", id)
      .where("name", "=", name)
      .where("uid", "=", uid)
      .execute();
    await emit(hub, { what: "announcement-reaction", announcement: id, name });
  });
}
