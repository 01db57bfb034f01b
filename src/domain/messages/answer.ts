import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Once } from "../items/posting/post-once.ts";
import { partnerOf, takingPart } from "./conversations.ts";
import { findMessage } from "./list.ts";
import { namedIn, spelledOut } from "./named.ts";
import type { Named } from "./named.ts";
import { sendMessage, sendOnce } from "./send.ts";
import type { NewMessage } from "./send.ts";
import type { Mail } from "./types.ts";

type Answer = Pick<NewMessage, "body" | "mediaIds">;

/**
 * Answers a message in its conversation. It goes to those who take part there and whom the text names, and where it names nobody of them to
 * the partner alone. Throws missing, and as sendMessage does.
 */
export async function answerMessage(
  hub: Hub,
  channel: Channel,
  replyTo: number,
  answer: Answer,
  once?: Once,
): Promise<Mail> {
  const answered = await findMessage(hub, channel, replyTo);
  const named = namedIn(hub, await takingPart(hub, channel, answered.conv_guid), answer.body);
  const partner = partnerOf(channel, answered);
  const chosen = new Set(named.map(({ person }) => person.xchan_hash));
  const to = chosen.has(partner) || chosen.size === 0 ? partner : [...chosen][0]!;
  const also = [...chosen].filter((hash) => hash !== to);
  const body = also.length > 0 ? spelledOut(answer.body, named) : withoutNames(answer.body, named);
  const message = { ...answer, body, to, also, replyTo };
  return once ? sendOnce(hub, channel, message, once) : sendMessage(hub, channel, message);
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
