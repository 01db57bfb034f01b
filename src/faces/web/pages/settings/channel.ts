import { html } from "hono/html";
import { activeGroups } from "../../../../domain/groups/groups.ts";
import { formatList } from "../../../../domain/groups/lists.ts";
import { channelKinds, readChannelSettings } from "../../../../domain/identity/channels/channel-settings.ts";
import type { ChannelKind } from "../../../../domain/identity/channels/channel-settings.ts";
import { roleOf, updateChannel } from "../../../../domain/identity/channels/channels.ts";
import { listLocations } from "../../../../domain/identity/channels/locations.ts";
import type { Location } from "../../../../domain/identity/channels/locations.ts";
import { isRoleName } from "../../../../domain/identity/channels/roles.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { audiencePicker, loadFileAudience, readFileAudience } from "../../parts/items/audience.ts";
import { alert, choice, radios, textField, token } from "../../parts/forms.ts";
import { roleChoices } from "../../parts/connections/role-labels.ts";

/** How the channel behaves. */
export const settingsChannelPages: Page[] = [
  { path: "/settings/channel", access: "member", get: (context) => page(context), post: save },
];

const kindChoices = [
  ["person", "a person"],
  ["organization", "an organisation"],
  ["service", "a program"],
] as const satisfies readonly (readonly [ChannelKind, string])[];

const mostDays = 36_500;

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const { channel } = member;
  return tryForm(
    async () => {
      const role = typed.text("role");
      if (!isRoleName(role)) throw fault("role", "Choose a role.");
      const expireDays = typed.number("expire") ?? -1;
      if (expireDays < 0 || expireDays > mostDays)
        throw fault("expire", `Choose a number of days from 0 to ${mostDays}.`);
      // A new role brings its own audience; the form shows what it is then.
      const changed = role !== (await roleOf(hub, channel.channel_id));
      const lists = changed ? undefined : readFileAudience(typed, channel);
      await updateChannel(hub, channel.channel_id, {
        ...(changed && { role }),
        kind: channelKinds.find((kind) => kind === typed.text("kind")),
        timezone: typed.text("timezone"),
        expireDays,
        defaultGroup: typed.text("default_group"),
        // Whom it excludes came with an import: the form does not show it, and keeps it.
        audience: lists && {
          allowCid: formatList(lists.allow_cid),
          allowGid: formatList(lists.allow_gid),
          denyCid: channel.channel_deny_cid,
          denyGid: channel.channel_deny_gid,
        },
      });
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, typed, fault),
  );
}

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { channel } = context.member;
  const [{ role, kind }, groups] = await Promise.all([
    readChannelSettings(context.hub, channel.channel_id, ["role", "kind"]),
    activeGroups(context.hub, channel.channel_id),
  ]);
  const { channel_allow_cid: allow_cid, channel_allow_gid: allow_gid } = channel;
  const audience = await loadFileAudience(context.hub, channel, { allow_cid, allow_gid }, typed);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Channel</h1>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${radios({ legend: "Role", name: "role", value: typed?.text("role") ?? role, choices: roleChoices })}
      ${choice(context, { label: "Other servers are told that this is", name: "kind", value: typed?.text("kind") ?? kind, choices: kindChoices, hint: "A forum is always a group.", fault })}
      <fieldset>
        <legend>Usual audience of new posts</legend>
        <p class="hint">You can change it for each post.</p>
        ${audiencePicker(audience, fault?.field === "audience")}
      </fieldset>
      ${choice(context, { label: "Group that new connections join", name: "default_group", value: typed?.text("default_group") ?? channel.channel_default_group, choices: [["", "None"], ...groups.map((group) => [group.hash, group.gname] as const)], fault })}
      ${choice(context, { label: "Time zone", name: "timezone", value: typed?.text("timezone") ?? channel.channel_timezone, choices: timezones(channel.channel_timezone), fault })}
      ${textField(context, { label: "Days until other people's posts leave your stream", name: "expire", type: "number", min: 0, max: mostDays, value: typed?.text("expire") ?? String(channel.channel_expire_days), hint: "0 keeps them for good. Starred posts and threads that you took part in always stay.", required: true, fault })}
      <p class="submit"><button class="button primary">Save</button></p>
    </form>
    ${places(await listLocations(context.hub, channel.channel_hash))}`;
  return show(context, { title: "Channel settings", main, status: fault?.status ?? 200 });
}

function places(locations: readonly Location[]): Html {
  if (locations.length < 2) return html``;
  return html`<section class="card">
    <h2>Where this channel lives</h2>
    <ul>
      ${locations.map(({ address, url, kind }) => html`<li><code>${address || url}</code>: ${placeWords[kind]}</li>`)}
    </ul>
  </section>`;
}

const placeWords = {
  here: "this hub",
  main: "its main location",
  other: "one more location",
  former: "a former location",
} as const;

function timezones(current: string): (readonly [string, string])[] {
  const names = new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")]);
  return [...names].map((name) => [name, name.replaceAll("_", " ")] as const);
}
