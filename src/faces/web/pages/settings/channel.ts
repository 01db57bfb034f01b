import { activeGroups } from "../../../../domain/groups/groups.ts";
import { formatList } from "../../../../domain/groups/lists.ts";
import { channelKinds, readChannelSettings } from "../../../../domain/identity/channels/channel-settings.ts";
import { roleOf, updateChannel } from "../../../../domain/identity/channels/channels.ts";
import { listLocations } from "../../../../domain/identity/channels/locations.ts";
import type { Location } from "../../../../domain/identity/channels/locations.ts";
import { isRoleName } from "../../../../domain/identity/channels/roles.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { audiencePicker, loadFileAudience, readFileAudience } from "../../parts/items/audience.ts";
import { alert, choice, radios, textField, token } from "../../parts/forms.ts";
import { roleChoices } from "../../parts/connections/role-labels.ts";
import type { Say } from "../../languages/say.ts";

/** How the channel behaves. */
export const settingsChannelPages: Page[] = [
  { path: "/settings/channel", access: "member", onlyForm: true, get: (context) => page(context), post: save },
];

const mostDays = 36_500;

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  const { channel } = member;
  return tryForm(
    context,
    async () => {
      const role = typed.text("role");
      if (!isRoleName(role)) throw fault("role", say("settings.choose-role"));
      const expireDays = typed.number("expire") ?? -1;
      if (expireDays < 0 || expireDays > mostDays)
        throw fault("expire", say("settings.choose-days", { most: mostDays }));
      // A new role brings its own audience; the form shows what it is then.
      const changed = role !== (await roleOf(hub, channel.channel_id));
      const lists = changed ? undefined : await readFileAudience(context, typed, channel);
      await updateChannel(hub, channel.channel_id, {
        ...(changed && { role }),
        kind: channelKinds.find((kind) => kind === typed.text("kind")),
        timezone: typed.text("timezone"),
        expireDays,
        defaultGroup: typed.text("default_group"),
        privateMeans: typed.text("private_means"),
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
  const { say } = context;
  const { channel } = context.member;
  const [{ role, kind, privateMeans }, groups] = await Promise.all([
    readChannelSettings(context.hub, channel.channel_id, ["role", "kind", "privateMeans"]),
    activeGroups(context.hub, channel.channel_id),
  ]);
  const named = groups.map((group) => [group.hash, group.gname] as const);
  // A group that is deleted is none.
  const known = (hash: string): string => (named.some(([one]) => one === hash) ? hash : "");
  const { channel_allow_cid: allow_cid, channel_allow_gid: allow_gid } = channel;
  const audience = await loadFileAudience(context.hub, channel, { allow_cid, allow_gid }, typed);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.channel")}</h1>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${radios({ legend: say("settings.role"), name: "role", value: typed?.text("role") ?? role, choices: roleChoices(say) })}
      ${choice(context, { label: say("settings.kind"), name: "kind", value: typed?.text("kind") ?? kind, choices: channelKinds.map((kind) => [kind, say(`settings.kind-${kind}`)] as const), hint: say("settings.kind-hint"), fault })}
      <fieldset>
        <legend>${say("settings.usual-audience")}</legend>
        <p class="hint">${say("settings.usual-audience-hint")}</p>
        ${audiencePicker(context, audience, fault?.field === "audience")}
      </fieldset>
      ${choice(context, { label: say("settings.default-group"), name: "default_group", value: typed?.text("default_group") ?? channel.channel_default_group, choices: [["", say("settings.none")], ...named], fault })}
      ${choice(context, { label: say("settings.private-means"), name: "private_means", value: typed?.text("private_means") ?? known(privateMeans), choices: [["", say("settings.usual-audience-else")], ...named], hint: say("settings.private-means-hint"), fault })}
      ${choice(context, { label: say("settings.time-zone"), name: "timezone", value: typed?.text("timezone") ?? channel.channel_timezone, choices: timezones(channel.channel_timezone), fault })}
      ${textField(context, { label: say("settings.expire"), name: "expire", type: "number", min: 0, max: mostDays, value: typed?.text("expire") ?? String(channel.channel_expire_days), hint: say("settings.expire-hint"), required: true, fault })}
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>
    ${places(say, await listLocations(context.hub, channel.channel_hash))}`;
  return show(context, { title: say("settings.channel-title"), main, status: fault?.status ?? 200 });
}

function places(say: Say, locations: readonly Location[]): Html {
  if (locations.length < 2) return html``;
  return html`<section class="card">
    <h2>${say("settings.places")}</h2>
    <ul>
      ${locations.map(({ address, url, kind }) => html`<li><code>${address || url}</code>: ${say(`settings.place-${kind}`)}</li>`)}
    </ul>
  </section>`;
}

function timezones(current: string): (readonly [string, string])[] {
  const names = new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")]);
  return [...names].map((name) => [name, name.replaceAll("_", " ")] as const);
}
