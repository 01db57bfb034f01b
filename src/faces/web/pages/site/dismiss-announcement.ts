import { dismissAnnouncement } from "../../../../domain/announcements/announcements.ts";
import { redirect, takeOff } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { localPath } from "../../local-path.ts";
import type { MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";

/** Takes what the hub says to all members off the pages of one of them. */
export const dismissAnnouncementPages: Page[] = [
  { path: "/announcements/dismiss", access: "member", whileMoved: true, post: dismiss },
];

async function dismiss(context: MemberContext, form: Fields): Promise<Response> {
  const id = idOf(form.text("id"));
  await dismissAnnouncement(context.hub, context.member.channel.channel_id, id);
  if (context.inPlace) return takeOff(context, `#announcement-${id}`, "read");
  return redirect(context, localPath(form.text("back"), "/network"), "read");
}
