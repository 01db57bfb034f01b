import { html } from "hono/html";
import { mayInvite } from "../../../../domain/invitations/invitations.ts";
import { show } from "../../answers.ts";
import type { MemberContext, Page } from "../../page.ts";
import { tile } from "../../parts/tile.ts";

/** The way to everything that can be set. */
export const settingsPages: Page[] = [{ path: "/settings", access: "member", get: overview }];

async function overview(context: MemberContext): Promise<Response> {
  const { channel } = context.member;
  const main = html`<h1>Settings</h1>
    <ul class="card tiles">
      ${tile("/settings/profile", "person", "Profile", "Name, picture, what you say about yourself")}
      ${tile("/settings/profiles", "circles", "Profiles", "All fields, and other profiles for some connections")}
      ${tile("/settings/channel", "sliders", "Channel", `How ${channel.channel_name} behaves: role, time zone, usual audience`)}
      ${tile("/settings/permissions", "shield", "Permissions", "Who may do what, one by one")}
      ${tile("/settings/permission-sets", "check", "Permission sets", "Choices of permissions to give to connections")}
      ${tile("/settings/guests", "people", "Guests", "Links for people without an account")}
      ${tile("/settings/posts", "reply", "Posts and comments", "Whose comments wait for you, who may quote you, tags, mentions")}
      ${tile("/settings/notices", "bell", "Notices", "What you are told of, and how")}
      ${tile("/settings/filters", "lens", "Filters", "Words that you do not want to read; muted and blocked people and servers")}
      ${tile("/settings/tags", "tag", "Hashtags", "Hashtags whose posts come into your stream")}
      ${(await mayInvite(context.hub, context.member.account)) ? tile("/settings/invitations", "letter", "Invitations", "Links for people who want to join this hub") : ""}
      ${tile("/settings/oauth/", "key", "Applications", "Apps that may act as you, and apps that you make")}
      ${tile("/settings/account", "lock", "Account", "E-mail, password, where you are logged in")}
      ${tile("/settings/warnings", "shield", "From those who run the hub", "What they have told you about your account")}
      ${tile("/group", "circles", "Groups", "Circles of people to post to")}
      ${tile("/uexport", "share", "Export", "Take everything with you, to keep it or to move to another hub")}
      ${tile("/import", "swap", "Import", "Bring a channel here from a file or from another hub")}
      ${tile("/settings/import-lists", "people", "Lists from elsewhere", "Follow, block and mute those whom you did on Mastodon")}
      ${tile("/settings/move", "exit", "Moving", "Bring followers from another account, or go on as another one")}
      ${tile("/manage", "swap", "Channels", "Switch to another channel or make a new one")}
    </ul>`;
  return show(context, { title: "Settings", main });
}
