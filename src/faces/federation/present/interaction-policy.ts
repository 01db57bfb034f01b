import type { Quoters } from "../../../domain/identity/channels/channel-settings.ts";
import { moderation } from "../../../domain/identity/channels/channel-settings.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate, unsetDate } from "../../../http/dates.ts";
import { everybody } from "../everybody.ts";
import { idsOf } from "../ids.ts";
import { concerned } from "./addressing.ts";

/**
 * Who may answer at once, and whose answers have to be let in; who may like, share and quote (federation contract 7). Whoever may
 * answer may react, and what everybody sees may be shared by everybody. `readers` as for `addressing`: whom it names need not follow.
 */
export function interactionPolicy(hub: Hub, readers: readonly string[], written: WrittenHere): object {
  const { nick, audience, quoters, owner, invited } = written;
  const { by, held } = written.comments;
  const { actor, followers } = idsOf(hub, nick);
  const isPublic = audience === "everybody";
  const allowed = (...who: string[]): object => ({ automaticApproval: [actor, ...who] });
  // Whom it or the top of its thread mentions may answer, whether or not they follow.
  const mentioned = isPublic
    ? [...new Set([...concerned(hub, readers, written).map(({ href }) => href), ...invited])]
    : [];
  const known = audience === "people" ? readers : [followers, ...mentioned];
  // In what is private and at home elsewhere, its owner alone knows who reads and answers: everybody are all who see it.
  const mayAnswer: readonly string[] =
    owner && !isPublic ? [everybody] : { owner: [], connections: known, everybody: [everybody, ...known] }[by];
  const waits = (who: string): boolean =>
    held === moderation.everybody || (held === moderation.strangers && (who === everybody || mentioned.includes(who)));
  const manual = mayAnswer.filter(waits);
  const automatic = mayAnswer.filter((who) => !waits(who));
  return {
    canReply: {
      automaticApproval: [actor, ...(automatic.includes(everybody) ? [everybody] : automatic)],
      ...(manual.length > 0 && { manualApproval: manual }),
    },
    canLike: allowed(...(mayAnswer.includes(everybody) ? [everybody] : mayAnswer)),
    canAnnounce: allowed(...(isPublic ? [everybody] : [])),
    canQuote: isPublic ? canQuote(hub, nick, quoters) : allowed(),
  };
}

const words = { owner: "self", connections: "contacts", everybody: "public" } as const;

/** Who may answer, and until when, as Hubzilla reads it; of the top of a thread alone. */
export function commentPolicy({ item, comments: { by } }: WrittenHere): object {
  if (item.item_thread_top === 0) return {};
  const closed = item.item_nocomment === 1 ? item.created : item.comments_closed;
  const until = closed === unsetDate ? "" : ` until=${isoDate(closed)}`;
  return { commentPolicy: `${words[by]}${until}` };
}

/** Who may quote something public of a channel without being asked about. */
export function canQuote(hub: Hub, nick: string, quoters: Quoters): object {
  const { actor, followers } = idsOf(hub, nick);
  const others = { everybody: [everybody], connections: [followers], nobody: [] }[quoters];
  return { automaticApproval: [actor, ...others] };
}
