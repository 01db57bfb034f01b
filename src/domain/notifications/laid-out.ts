import { setImmediate } from "node:timers/promises";
import type { Selectable } from "kysely";
import type { Hub } from "../../hub.ts";
import type { NotifyTable } from "../../storage/tables/items.ts";
import { layOutAnyhow } from "../bodies/texts.ts";

export type Notice = Selectable<NotifyTable>;

/** A notice whose sentence is laid out. */
export type LaidOutNotice = Notice & { html: string; plain: string };

/** The notices with their stored HTML. Those from before it was stored are laid out here until `layOutOldNotices` has. */
export async function laidOut(hub: Hub, notices: readonly Notice[]): Promise<LaidOutNotice[]> {
  const all: LaidOutNotice[] = [];
  for (const notice of notices) {
    const { html, plain } = notice;
    all.push(html === null || plain === null ? await layOutNow(hub, notice) : { ...notice, html, plain });
  }
  return all;
}

/** Fifty odd sentences at once would take long. */
async function layOutNow(hub: Hub, notice: Notice): Promise<LaidOutNotice> {
  await setImmediate();
  const { html, plain } = await layOutAnyhow(hub, notice.msg, "text/bbcode");
  return { ...notice, html, plain };
}

const together = 100;

/** Stores the HTML of notices from before it was stored, the newest first. May run twice. */
export async function layOutOldNotices(hub: Hub): Promise<void> {
  for (;;) {
    const old = await hub.db
      .selectFrom("notify")
      .selectAll()
      .where("html", "is", null)
      .orderBy("id", "desc")
      .limit(together)
      .execute();
    for (const notice of old) {
      const { html, plain } = await layOutNow(hub, notice);
      // One that was renewed meanwhile has another sentence.
      const same = hub.db.updateTable("notify").set({ html, plain }).where("id", "=", notice.id);
      await same.where("msg", "=", notice.msg).execute();
    }
    if (old.length < together) return;
  }
}
