import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { newestNotice, pageOfTold } from "../../../domain/items/timelines/told.ts";
import type { Heard } from "../../../domain/listeners/heard.ts";
import { allOfSecond, listTalks } from "../../../domain/messages/messages.ts";
import type { Talk } from "../../../domain/messages/messages.ts";
import type { Hub } from "../../../hub.ts";
import { presentConversation, showTalks } from "../conversations/conversation-answers.ts";
import { showNotices } from "../notifications/notice-answers.ts";
import { presentNotification } from "../present/notification.ts";

/** Lists whose new entries are told in streams. */
export const watched = ["notices", "direct"] as const;
export type WatchedList = (typeof watched)[number];

/** Looks at a list when something may be new in it, and says what was not there before. */
export type Watch = {
  /** What the entries are called in streams. */
  readonly event: string;
  concerns(heard: readonly Heard[]): boolean;
  look(hub: Hub, caller: Caller): Promise<object[]>;
};

/** So many are told at once; whoever misses more asks for the list. */
const most = 40;

/** Watches a list from now on. */
export async function beginWatch(list: WatchedList, hub: Hub, caller: Caller): Promise<Watch> {
  return list === "notices" ? watchNotices(hub, caller) : watchTalks(hub, caller);
}

async function watchNotices(hub: Hub, { channel }: Caller): Promise<Watch> {
  let last = await newestNotice(hub, channel.channel_id);
  return {
    event: "notification",
    concerns: (heard) => heard.some(({ what }) => what === "notices"),
    async look(hub, caller) {
      const told = await pageOfTold(hub, caller.channel, { count: most, minId: last }, {});
      last = told[0]?.id ?? last;
      const shown = await showNotices(hub, caller, told.toReversed());
      return shown.told.map((one) => presentNotification(shown, one));
    },
  };
}

async function watchTalks(hub: Hub, { channel }: Caller): Promise<Watch> {
  let [newest] = (await listTalks(hub, channel, { count: 1 })).talks;
  let last = newest?.key ?? 0;
  // Keys of the same second do not say what is new.
  let known = await saidSince(hub, channel, last);
  return {
    event: "conversation",
    concerns: (heard) => heard.some(({ what }) => what === "messages" || what === "new"),
    async look(hub, caller) {
      const found = await saidSince(hub, caller.channel, last);
      const fresh = [...found].filter(([name]) => !known.has(name)).map(([, talk]) => talk);
      [newest] = fresh;
      [known, last] = [found, newest?.key ?? last];
      const shown = await showTalks(hub, caller, fresh.toReversed());
      return shown.talks.map((talk) => presentConversation(shown, talk));
    },
  };
}

/** The newest of the channel's talks, by their names and by what was said last. */
async function saidSince(hub: Hub, channel: Caller["channel"], key: number): Promise<Map<string, Talk>> {
  const { talks } = await listTalks(hub, channel, { count: most, above: allOfSecond(key) });
  return new Map(talks.map((talk) => [`${talk.kind} ${talk.id} ${(talk.last.item ?? talk.last.mail).id}`, talk]));
}
