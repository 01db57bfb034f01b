import { dropFollower, findConnectionTo, mute, unmute } from "../../../../domain/connections/connections.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { missing } from "../../../../errors.ts";
import { redirect } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { localPath } from "../../local-path.ts";
import type { MemberContext, Page } from "../../page.ts";
import { peopleApart } from "../../parts/connections/people-apart.ts";
import { linkTo } from "../../languages/say.ts";

/** The people whom the member has muted, and the forms that begin and end that; and the one that ends being read by somebody. */
export const mutedPages: Page[] = [
  { path: "/connections/muted", access: "member", get: list, post: end },
  { path: "/connections/mute", access: "member", post: begin },
  { path: "/connections/unmute", access: "member", post: end },
  { path: "/connections/drop-reader", access: "member", post: drop },
];

function list(context: MemberContext): Promise<Response> {
  const links = { hosts: linkTo("/connections/hosts"), words: linkTo("/settings/filters") };
  return peopleApart(context, "muted", context.say.html("connections.muted-lead", links));
}

async function end(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const hash = form.text("xchan");
  const known = await findConnectionTo(hub, member.channel.channel_id, hash);
  if (known?.abook_ignored !== 1) throw missing("Connection");
  await unmute(hub, member.channel, hash);
  return redirect(context, localPath(form.text("back"), "/connections/muted"), "unmuted");
}

async function begin(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  await mute(hub, member.channel, await personOf(context, form));
  return redirect(context, localPath(form.text("back"), "/connections/muted"), "muted");
}

async function drop(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const hash = form.text("xchan");
  const known = await findConnectionTo(hub, member.channel.channel_id, hash);
  if (known?.follow_in !== "accepted") throw missing("Connection");
  await dropFollower(hub, member.channel, hash);
  return redirect(context, localPath(form.text("back"), "/connections"), "noreader");
}

async function personOf({ hub, member }: MemberContext, form: Fields): Promise<Xchan> {
  const person = await findKnown(hub, member.channel.channel_id, { hash: form.text("xchan") });
  if (!person || person.xchan_hash === member.channel.channel_hash) throw missing("Identity");
  return person;
}
