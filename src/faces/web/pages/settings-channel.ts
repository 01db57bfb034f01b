import { html } from "hono/html";
import { listGroups } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import { formatList, parseList } from "../../../domain/groups/lists.ts";
import { roleOf, setRole, updateChannel } from "../../../domain/identity/channels.ts";
import { isRoleName } from "../../../domain/identity/roles.ts";
import { inTransaction } from "../../../hub.ts";
import { redirect, show } from "../answers.ts";
import { fault, tryForm } from "../faults.ts";
import type { Fault } from "../faults.ts";
import type { Fields } from "../fields.ts";
import type { MemberVisit, Page } from "../page.ts";
import { alert, box, choice, radios, textField, token } from "../parts/forms.ts";
import { roleChoices } from "../parts/role-words.ts";

/** How the channel behaves. */
export const settingsChannelPages: Page[] = [
  { path: "/settings/channel", access: "member", get: (visit) => page(visit), post: save },
];

const mostDays = 36_500;

async function save(visit: MemberVisit, typed: Fields): Promise<Response> {
  const { hub, member } = visit;
  const { channel } = member;
  return tryForm(
    async () => {
      const role = typed.text("role");
      if (!isRoleName(role)) throw fault("role", "Choose a role.");
      const expireDays = typed.number("expire") ?? -1;
      if (expireDays < 0 || expireDays > mostDays)
        throw fault("expire", `Choose a number of days from 0 to ${mostDays}.`);
      const groups = await ownGroups(visit);
      const chosen = groups.filter((group) => typed.all("group_allow").includes(group.hash));
      await inTransaction(hub, async (hub) => {
        // A new role brings its own audience; the form shows what it is then.
        const changed = role !== (await roleOf(hub, channel.channel_id));
        if (changed) await setRole(hub, channel, role);
        await updateChannel(hub, channel.channel_id, {
          timezone: typed.text("timezone"),
          expireDays,
          defaultGroup: typed.text("default_group"),
          ...(!changed && {
            audience: {
              allowCid: "",
              allowGid: formatList(chosen.map((group) => group.hash)),
              denyCid: "",
              denyGid: "",
            },
          }),
        });
      });
      return redirect(visit, visit.path, "saved");
    },
    (fault) => page(visit, typed, fault),
  );
}

async function ownGroups({ hub, member }: MemberVisit): Promise<Group[]> {
  return (await listGroups(hub, member.channel.channel_id)).filter((group) => group.deleted === 0);
}

async function page(visit: MemberVisit, typed?: Fields, fault?: Fault): Promise<Response> {
  const { channel } = visit.member;
  const [role, groups] = await Promise.all([roleOf(visit.hub, channel.channel_id), ownGroups(visit)]);
  const chosen = typed ? typed.all("group_allow") : parseList(channel.channel_allow_gid);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Channel</h1>
    <form class="card form-page" method="post">
      ${token(visit)} ${alert(fault)}
      ${radios({ legend: "Role", name: "role", value: typed?.text("role") ?? role, choices: roleChoices })}
      <fieldset>
        <legend>Usual audience of new posts</legend>
        <p class="hint">Tick nothing for public posts. You can choose anew for each post.</p>
        ${groups.map((group) => box({ label: group.gname, name: "group_allow", value: group.hash, checked: chosen.includes(group.hash) }))}
      </fieldset>
      ${choice({ label: "Group that new connections join", name: "default_group", value: typed?.text("default_group") ?? channel.channel_default_group, choices: [["", "None"], ...groups.map((group) => [group.hash, group.gname] as const)], fault })}
      ${choice({ label: "Time zone", name: "timezone", value: typed?.text("timezone") ?? channel.channel_timezone, choices: timezones(channel.channel_timezone), fault })}
      ${textField({ label: "Days until other people's posts leave your stream", name: "expire", type: "number", min: 0, max: mostDays, value: typed?.text("expire") ?? String(channel.channel_expire_days), hint: "0 keeps them. Posts with a star, and threads you took part in, always stay.", required: true, fault })}
      <p class="submit"><button class="button primary">Save</button></p>
    </form>`;
  return show(visit, { title: "Channel settings", main, status: fault?.status ?? 200 });
}

function timezones(current: string): (readonly [string, string])[] {
  const names = new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")]);
  return [...names].map((name) => [name, name.replaceAll("_", " ")] as const);
}
