import type { Chatroom } from "../../../../domain/identity/belongings/chatrooms.ts";
import type { RoomDraft } from "../../../../domain/messages/room-change.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, MemberContext } from "../../page.ts";
import { choice, textField } from "../forms.ts";
import { audiencePicker } from "../items/audience.ts";
import { loadPageAudience, readPageAudience } from "../pages/page-owner.ts";

/** For how many minutes what is said can stay; 0 is for good. */
const lifetimes = [10, 60, 120, 1440, 10_080, 43_200, 0] as const;
const usual = 120;

/** A form for a chatroom: its name, whom it is for, and for how long what is said stays. */
export async function roomFields(
  context: MemberContext,
  room: Chatroom | undefined,
  typed: Fields | undefined,
  fault: Fault | undefined,
): Promise<Html> {
  const { say, member } = context;
  const audience = await loadPageAudience(context, member.channel, room, typed);
  const minutes = typed?.text("minutes") ?? String(room?.cr_expire ?? usual);
  const known = [...new Set([...lifetimes, room?.cr_expire ?? usual])];
  return html`${textField(context, { label: say("chat.name"), name: "name", value: typed?.text("name") ?? room?.cr_name ?? "", required: true, fault })}
  ${choice(context, { label: say("chat.stays"), name: "minutes", value: minutes, choices: known.map((one) => [String(one), lifetime(say, one)]), fault })}
  ${audiencePicker(context, audience, fault?.field === "audience")}`;
}

/** What such a form says. Throws invalid. */
export async function readRoom(context: MemberContext, typed: Fields, room?: Chatroom): Promise<RoomDraft> {
  return {
    name: typed.word("name"),
    minutes: typed.number("minutes") ?? NaN,
    audience: await readPageAudience(context, typed, context.member.channel, room),
  };
}

function lifetime(say: Say, minutes: number): string {
  if (minutes <= 0) return say("chat.stays-always");
  if (minutes % 1440 === 0) return say("chat.stays-days", { days: minutes / 1440 });
  if (minutes % 60 === 0) return say("chat.stays-hours", { hours: minutes / 60 });
  return say("chat.stays-minutes", { minutes });
}
