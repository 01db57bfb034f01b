import { describeMedia, dropUnattached, uploadUnattached } from "../../../../domain/cloud/unattached.ts";
import { saveEvent } from "../../../../domain/events/events.ts";
import { changeChannelSettings, channelSetting } from "../../../../domain/identity/channels/channel-settings.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { layOutDraft } from "../../../../domain/items/posting/lay-out-draft.ts";
import { forgetSketch, keepSketch } from "../../../../domain/items/posting/sketches.ts";
import { redirect } from "../../answers.ts";
import { tokenField } from "../../csrf.ts";
import { fault as faultOf, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { MemberContext } from "../../page.ts";
import { eventPath } from "../events/when.ts";
import { readMoment } from "../moment-field.ts";
import { shorten } from "../shorten.ts";
import { readAudience } from "./audience.ts";
import { descriptionsOf, mediaIdsOf, mostMedia } from "./chosen-media.ts";
import type { LaidOutDraft } from "./composer.ts";
import { draftOf, formatOf } from "./draft.ts";

/** Shows the page of the form once more with what was typed. */
export type Again = (
  typed: Fields,
  more: { fault?: Fault | undefined; preview?: LaidOutDraft | undefined },
) => Promise<Response>;

/**
 * Does what the pressed button of the form for a post says: posts on the member's own wall, or that of somebody else; keeps it as a
 * draft; or shows it again, with its files, and with what it will look like.
 */
export async function takePost(
  context: MemberContext,
  sent: Fields,
  { wall, again }: { wall?: Channel | undefined; again: Again },
): Promise<Response> {
  // Files are kept from here on: a form that is shown again has them.
  let typed = sent;
  return tryForm(
    async () => {
      typed = wall ? sent : await keepFiles(context, sent);
      if (typed.has("drop_media")) return again(await withoutMedia(context, typed), {});
      if (typed.has("raise_media")) return again(withMedia(typed, raised(typed)), {});
      if (typed.text("do") === "look") return again(typed, { preview: await lookOf(context, typed) });
      if (typed.text("do") === "keep") return keep(context, typed);
      return post(context, typed, wall);
    },
    (fault) => again(typed, { fault }),
  );
}

/** The form with the files that came along among those that were chosen before. */
async function keepFiles({ hub, member }: MemberContext, sent: Fields): Promise<Fields> {
  const files = sent.files("media");
  const before = mediaIdsOf(sent);
  if (before.length + files.length > mostMedia) throw faultOf("media", `A post has at most ${mostMedia} files.`);
  if (files.length === 0) return sent;
  const kept = await uploadUnattached(hub, member.channel, files);
  return withMedia(sent, [...before, ...kept.map(({ id }) => id)]);
}

/** The form with other files. */
function withMedia(typed: Fields, ids: readonly number[]): Fields {
  const others = [...typed.entries()].filter(([name]) => name !== "media_id");
  return new Fields([...others, ...ids.map((id) => ["media_id", String(id)] as const)]);
}

async function withoutMedia({ hub, member }: MemberContext, typed: Fields): Promise<Fields> {
  const dropped = typed.number("drop_media") ?? 0;
  await dropUnattached(hub, member.channel, dropped);
  return withMedia(
    typed,
    mediaIdsOf(typed).filter((id) => id !== dropped),
  );
}

function raised(typed: Fields): number[] {
  const ids = mediaIdsOf(typed);
  const at = ids.indexOf(typed.number("raise_media") ?? 0);
  if (at > 0) ids.splice(at - 1, 2, ids[at]!, ids[at - 1]!);
  return ids;
}

async function lookOf({ hub, member }: MemberContext, typed: Fields): Promise<LaidOutDraft | undefined> {
  const [body, mediaIds] = [typed.text("body"), mediaIdsOf(typed)];
  if (body.trim() === "" && mediaIds.length === 0) return undefined;
  return layOutDraft(hub, member.channel, { body, mimetype: formatOf(typed), mediaIds });
}

async function keep(context: MemberContext, typed: Fields): Promise<Response> {
  await keepTyped(context, typed, context.path);
  return redirect(context, "/drafts", "kept");
}

const notKept = new Set([tokenField, "sketch", "place", "do", "back"]);

/** Keeps what was typed into a form of this page as a draft. Throws invalid. */
export async function keepTyped({ hub, member }: MemberContext, typed: Fields, place: string): Promise<void> {
  const fields = [...typed.entries()].filter(([name, value]) => !notKept.has(name) && value !== "");
  await keepSketch(hub, member.channel, { name: typed.word("sketch"), place, fields });
}

async function post(context: MemberContext, typed: Fields, wall: Channel | undefined): Promise<Response> {
  const { hub, member } = context;
  const { channel } = member;
  const draft = draftOf(context, typed);
  await describeMedia(hub, channel, descriptionsOf(typed));
  const target =
    typed.word("event_begins") === ""
      ? await postDraft(context, { ...draft, ...(wall ? { wall: wall.channel_id } : readAudience(typed)) })
      : await postEvent(context, typed, draft);
  await forgetSketch(hub, channel, typed.word("sketch"));
  if (typed.has("mimetype") && (await channelSetting(hub, channel.channel_id, "textFormat")) !== formatOf(typed))
    await changeChannelSettings(hub, channel.channel_id, { textFormat: formatOf(typed) });
  return target;
}

type Drafted = ReturnType<typeof draftOf>;

async function postDraft(context: MemberContext, draft: Drafted): Promise<Response> {
  const item = await postItem(context.hub, context.member.channel, draft);
  return item.item_delayed === 1
    ? redirect(context, "/scheduled", "delayed")
    : redirect(context, context.path, "posted");
}

/** An event is a post of its own kind; its first words are its name where it has no title. */
async function postEvent(context: MemberContext, typed: Fields, draft: Drafted): Promise<Response> {
  if (draft.poll || draft.waits || (draft.mediaIds ?? []).length > 0)
    throw faultOf("event_begins", "An event has no poll, no files and no other date.");
  const [dtstart, dtend] = [readMoment(context, typed, "event_begins"), readMoment(context, typed, "event_ends")];
  const share = readAudience(typed);
  const event = await saveEvent(context.hub, context.member.channel, {
    summary: draft.title ?? shorten(draft.body.trim().split("\n")[0] ?? "", 100),
    description: draft.body,
    ...(draft.location !== undefined && { location: draft.location }),
    dtstart: dtstart!,
    ...(dtend !== undefined && { dtend }),
    adjust: true,
    ...(share.publicPolicy !== "self" && { share }),
  });
  return redirect(context, eventPath(event.event_hash), "saved");
}
