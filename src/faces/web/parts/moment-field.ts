import { momentOf, wallClock, zoneOfChannel } from "../../../domain/events/events.ts";
import { fault } from "../faults.ts";
import type { Fields } from "../fields.ts";
import type { Html, MemberContext } from "../page.ts";
import { textField } from "./forms.ts";

/** A moment on the member's own clock, as browsers have a field for. */
export function momentField(
  context: MemberContext,
  options: Parameters<typeof textField>[1] & { hint?: string },
): Html {
  const clock = context.say("forms.clock", { zone: zoneOfChannel(context.member.channel) });
  return textField(context, {
    ...options,
    type: "datetime-local",
    hint: [options.hint, clock].filter(Boolean).join(" "),
  });
}

/** What such a field shows for a stored date. */
export function momentText({ hub, member }: MemberContext, stored: string): string {
  return wallClock(hub, stored, zoneOfChannel(member.channel)).slice(0, 16).replace(" ", "T");
}

/** What was typed into it, in the stored form; undefined when it is empty. Throws invalid for what is no moment. */
export function readMoment({ hub, member, say }: MemberContext, typed: Fields, name: string): string | undefined {
  const text = typed.word(name);
  if (text === "") return undefined;
  const [, day, clock] = /^([1-9]\d{3}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?$/.exec(text) ?? [];
  const moment = new Date(`${day}T${clock}:00Z`);
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(`${day}T${clock}`))
    throw fault(name, say("forms.not-a-moment"));
  return momentOf(hub, `${day} ${clock}:00`, zoneOfChannel(member.channel));
}
