import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import { reactionEmoji, reactionOf, reactionPicture } from "../../../domain/items/vocabulary.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate } from "../../../http/dates.ts";
import { emojiUrl } from "../../../domain/proxy/emoji.ts";
import { activityId, idsOf, objectId } from "../ids.ts";
import { addressing } from "./addressing.ts";
import type { Addressing } from "./addressing.ts";
import { stampFields } from "./consent.ts";

/** Who did something and when, and what it is named by. */
type Doing = { uuid: string; nick: string; created: string };

/** Something that somebody did, in one word of ActivityStreams. */
export function deedOf(
  hub: Hub,
  { uuid, nick, created }: Doing,
  type: string,
  addressed: Addressing,
  object: object | string,
): object {
  const id = activityId(hub, uuid);
  return { id, type, actor: idsOf(hub, nick).actor, published: isoDate(created), ...addressed, object };
}

/**
 * What somebody did: wrote something (`object` says what), shared something as it is, or reacted (federation contract 4.3);
 * `readers` as for `addressing`. Undefined for what is told to nobody in these words.
 */
export function activityOf(
  hub: Hub,
  readers: readonly string[],
  written: WrittenHere,
  object: object | undefined,
): object | undefined {
  const { item, nick, parent, shared } = written;
  const deed = (type: string, about: object | string): object =>
    deedOf(hub, { ...item, nick }, type, addressing(hub, readers, written), about);
  const reaction = reactionOf(item.verb);
  if (reaction === undefined)
    return object
      ? deed("Create", object)
      : shared && { ...deed("Announce", objectId(hub, shared)), ...stampFields(written, "share") };
  const reacting = reactingBy(hub, reaction);
  if (!parent || !reacting) return undefined;
  return { ...deed(reacting.type, objectId(hub, parent)), ...reacting.more, ...stampFields(written, "like") };
}

/** That what somebody said is another now: `object` says how. */
export function updateOf(
  hub: Hub,
  readers: readonly string[],
  written: WrittenHere,
  object: object,
  stamp: string,
): object {
  return {
    id: `${activityId(hub, written.item.uuid)}#update-${encodeURIComponent(stamp)}`,
    type: "Update",
    actor: idsOf(hub, written.nick).actor,
    ...addressing(hub, readers, written),
    object,
  };
}

/** An event for those who are asked to come. */
export function inviteOf(
  hub: Hub,
  readers: readonly string[],
  { item, nick }: WrittenHere,
  object: object | undefined,
): object | undefined {
  if (!object) return undefined;
  const invitation = deedOf(hub, { ...item, nick }, "Invite", { to: [...readers], cc: [] }, object);
  return { ...invitation, id: `${activityId(hub, item.uuid)}#invite`, target: [...readers] };
}

const types: Readonly<Record<string, string>> = {
  like: "Like",
  dislike: "Dislike",
  attendyes: "Accept",
  attendno: "Reject",
  attendmaybe: "TentativeAccept",
};

/** A reaction in the words of others; votes, which are told to those who ask for them alone, have none. */
export function reactingBy(hub: Pick<Hub, "config">, reaction: string): { type: string; more: object } | undefined {
  const picture = reactionPicture(reaction);
  if (picture)
    return { type: "EmojiReact", more: emojiFields(emojiUrl(hub, picture.host, picture.code), picture.code) };
  const emoji = reactionEmoji(reaction);
  if (emoji !== undefined) return { type: "EmojiReact", more: { content: emoji } };
  const type = types[reaction];
  return type === undefined ? undefined : { type, more: {} };
}

/** A picture and its code, as others know it (federation contract 4.2). */
function emojiFields(url: string, code: string): object {
  const name = `:${code}:`;
  return { content: name, tag: [{ type: "Emoji", id: url, name, icon: { type: "Image", url } }] };
}
