import { saveEvent } from "../../../../domain/events/events.ts";
import { changeChannelSettings, channelSetting } from "../../../../domain/identity/channels/channel-settings.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { quoteWith } from "../../../../domain/items/posting/quote.ts";
import { unlessMissing } from "../../../../errors.ts";
import { redirect } from "../../answers.ts";
import { fault as faultOf } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { MemberContext } from "../../page.ts";
import { eventPath } from "../events/when.ts";
import { readMoment } from "../moment-field.ts";
import { shorten } from "../shorten.ts";
import { readAudience } from "./audience.ts";
import { draftOf, formatOf } from "./draft.ts";
import { takeWriting } from "./take-writing.ts";
import type { Again, WrittenText } from "./take-writing.ts";

/** Takes the form for a post on the member's own wall, or that of somebody else. */
export function takePost(
  context: MemberContext,
  sent: Fields,
  { wall, again }: { wall?: Channel | undefined; again: Again },
): Promise<Response> {
  return takeWriting(context, sent, {
    files: !wall,
    format: (typed) => formatOf(context, typed),
    text: (typed) => textOf(context, typed),
    again,
    send: (typed) => post(context, typed, wall),
  });
}

async function post(context: MemberContext, typed: Fields, wall: Channel | undefined): Promise<Response> {
  const draft = { ...draftOf(context, typed), ...(await textOf(context, typed)) };
  const target =
    typed.word("event_begins") === ""
      ? await postDraft(context, {
          ...draft,
          ...(wall ? { wall: wall.channel_id } : await readAudience(context, typed)),
        })
      : await postEvent(context, typed, draft);
  await rememberFormat(context, typed);
  return target;
}

/** The words of the form, and what they quote. Throws invalid where that is gone meanwhile. */
async function textOf(context: MemberContext, typed: Fields): Promise<WrittenText> {
  const { hub, member, say } = context;
  const words = { body: typed.text("body"), mimetype: formatOf(context, typed) };
  const id = typed.number("quote");
  if (id === undefined) return words;
  const text = await unlessMissing(quoteWith(hub, member.channel, { id }, words));
  if (text === undefined) throw faultOf("quote", say("composer.quote-gone"));
  return text;
}

/** What somebody writes in is what they find the next time. */
export async function rememberFormat(context: MemberContext, typed: Fields): Promise<void> {
  const { hub, member } = context;
  const { channel_id: uid } = member.channel;
  if (typed.has("mimetype") && (await channelSetting(hub, uid, "textFormat")) !== formatOf(context, typed))
    await changeChannelSettings(hub, uid, { textFormat: formatOf(context, typed) });
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
  if (draft.poll || draft.waits || typed.has("quote") || (draft.mediaIds ?? []).length > 0)
    throw faultOf("event_begins", context.say("composer.event-alone"));
  const [dtstart, dtend] = [readMoment(context, typed, "event_begins"), readMoment(context, typed, "event_ends")];
  const share = await readAudience(context, typed);
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
