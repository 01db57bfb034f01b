import { archivesStand } from "../../../../domain/archives/archive-place.ts";
import { mayInvite } from "../../../../domain/invitations/invitations.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { tile, tiles } from "../../parts/tile.ts";

const archiveWords = {
  "as usual": "settings.archives-about",
  paused: "settings.archives-are-paused",
  failing: "settings.archives-failing",
} as const;

/** The way to everything that can be set. */
export const settingsPages: Page[] = [{ path: "/settings", access: "member", get: overview }];

async function overview(context: MemberContext): Promise<Response> {
  const { say } = context;
  const { channel } = context.member;
  const stand = await archivesStand(context.hub, channel.channel_id);
  const main = html`<h1>${say("settings.title")}</h1>
    ${tiles(say("settings.this-channel"), [
      tile("/settings/profile", "person", say("settings.profile"), say("settings.profile-hint")),
      tile("/settings/profiles", "circles", say("settings.profiles"), say("settings.profiles-hint")),
      tile(
        "/settings/channel",
        "sliders",
        say("settings.channel"),
        say("settings.channel-about", { name: channel.channel_name }),
      ),
      tile("/manage", "swap", say("settings.channels"), say("settings.channels-about")),
    ])}
    ${tiles(say("settings.who-may"), [
      tile("/settings/permissions", "shield", say("settings.permissions"), say("settings.permissions-about")),
      tile(
        "/settings/permission-sets",
        "check",
        say("settings.permission-sets"),
        say("settings.permission-sets-about"),
      ),
      tile("/group", "circles", say("settings.groups"), say("settings.groups-about")),
      tile("/settings/guests", "people", say("settings.guests"), say("settings.guests-about")),
      tile("/settings/posts", "reply", say("settings.posts"), say("settings.posts-about")),
    ])}
    ${tiles(say("settings.what-you-see"), [
      tile("/settings/notices", "bell", say("settings.notices"), say("settings.notices-about")),
      tile("/settings/filters", "lens", say("settings.filters"), say("settings.filters-about")),
      tile("/settings/tags", "tag", say("settings.tags"), say("settings.tags-about")),
      tile("/settings/look", "picture", say("settings.look"), say("settings.look-about")),
    ])}
    ${tiles(say("settings.you-and-programs"), [
      tile("/settings/account", "lock", say("settings.account"), say("settings.account-about")),
      tile("/settings/oauth/", "key", say("settings.applications"), say("settings.applications-about")),
      tile("/settings/webhooks", "share", say("webhooks.title"), say("webhooks.about")),
      ...((await mayInvite(context.hub, context.member.account))
        ? [tile("/settings/invitations", "letter", say("settings.invitations"), say("settings.invitations-about"))]
        : []),
      tile("/settings/warnings", "shield", say("settings.warnings"), say("settings.warnings-about")),
    ])}
    ${tiles(say("settings.copies-and-moving"), [
      tile("/uexport", "share", say("settings.export"), say("settings.export-about")),
      tile("/settings/archives", "download", say("settings.archives"), say(archiveWords[stand])),
      tile("/import", "swap", say("settings.import"), say("settings.import-about")),
      tile("/settings/import-lists", "people", say("settings.lists"), say("settings.lists-about")),
      tile("/settings/move", "exit", say("settings.moving"), say("settings.moving-about")),
    ])}`;
  return show(context, { title: say("settings.title"), main });
}
