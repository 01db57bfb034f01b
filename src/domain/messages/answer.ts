import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import type { Once } from "../items/posting/post-once.ts";
import { notBlocked, partnerOf, stillThere, takingPart } from "./conversations.ts";
import { findMessage } from "./list.ts";
import { namedIn, spelledOut } from "./named.ts";
import type { Named } from "./named.ts";
import { sendMessage, sendOnce } from "./send.ts";
import type { NewMessage } from "./send.ts";
import type { Mail } from "./types.ts";

type Answer = Pick<NewMessage, "body" | "mediaIds">;

/**
 * Answers a message in its conversation. It goes to those who take part there and whom the text names, and where it names nobody of them to
 * the partner alone. Whom the channel blocks gets nothing: applications begin an answer with all names. Throws missing, and as sendMessage
 * does.
 */
export async function answerMessage(
  hub: Hub,
  channel: Channel,
  replyTo: number,
  answer: Answer,
  once?: Once,
): Promise<Mail> {
  const answered = await findMessage(hub, channel, replyTo);
  const there = stillThere(await takingPart(hub, channel, answered.conv_guid));
  const meant = namedIn(hub, there, answer.body);
  const welcome = await notBlocked(hub, channel, there);
  const wanted = meant.filter(({ person }) => welcome.includes(person));
  // What is for nobody else is refused, and goes to nobody whom it does not name.
  const named = wanted.length > 0 ? wanted : meant;
  const partner = partnerIn(there, partnerOf(channel, answered));
  const chosen = new Set(named.map(({ person }) => person.xchan_hash));
  const to = chosen.has(partner) || chosen.size === 0 ? partner : [...chosen][0]!;
  const also = [...chosen].filter((hash) => hash !== to);
  const body = also.length > 0 ? spelledOut(answer.body, named) : withoutNames(answer.body, meant);
  const message = { ...answer, body, to, also, replyTo };
  return once ? sendOnce(hub, channel, message, once) : sendMessage(hub, channel, message);
}

/** Where the partner is gone and one other is left, that one. */
function partnerIn(there: readonly Xchan[], partner: string): string {
  const isGone = there.every(({ xchan_hash }) => xchan_hash !== partner);
  return isGone && there.length === 1 ? there[0]!.xchan_hash : partner;
}

/** One alone need not be told to whom it goes. */
function withoutNames(text: string, named: readonly Named[]): string {
  let at = 0;
  for (const { start, end } of named) {
    if (text.slice(at, start).trim() !== "") break;
    at = text[end] === "," || text[end] === ":" ? end + 1 : end;
  }
  return text.slice(at).trim();
}
