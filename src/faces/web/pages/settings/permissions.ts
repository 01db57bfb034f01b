import { recordOf } from "../../../../record-of.ts";
import { approvesByItself, grantsFor, setOwnRules } from "../../../../domain/connections/connections.ts";
import { roleOf } from "../../../../domain/identity/channels/channels.ts";
import { choicesFor, permissionLimitsOf } from "../../../../domain/identity/channels/permission-limits.ts";
import type { PermissionLimits } from "../../../../domain/identity/channels/permission-limits.ts";
import { defaultSet } from "../../../../domain/identity/channels/permission-sets.ts";
import type { PermissionSet } from "../../../../domain/identity/channels/permission-sets.ts";
import { permissionNames } from "../../../../domain/identity/channels/roles.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { alert, box, choice, token } from "../../parts/forms.ts";
import { grantBoxes, grantsIn } from "../../parts/connections/grants.ts";
import { limitWords } from "../../parts/connections/limit-labels.ts";
import { permissionLabel } from "../../parts/connections/permission-labels.ts";
import { roleChoices } from "../../parts/connections/role-labels.ts";
import { channelSetting } from "../../../../domain/identity/channels/channel-settings.ts";
import { linkTo } from "../../languages/say.ts";
import type { Say } from "../../languages/say.ts";

/** Every permission by itself: saving it makes the channel a custom one. */
export const settingsPermissionsPages: Page[] = [
  { path: "/settings/permissions", access: "member", onlyForm: true, get: (context) => page(context), post: save },
];

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const uid = member.channel.channel_id;
  const [role, limits, grants, autoApprove, online, set] = await Promise.all([
    roleOf(hub, uid),
    permissionLimitsOf(hub, uid),
    grantsFor(hub, member.channel),
    approvesByItself(hub, uid),
    channelSetting(hub, uid, "showsOnline"),
    defaultSet(hub, uid),
  ]);
  const [, roleName] = roleChoices(say).find(([name]) => name === role)!;
  const granted = new Set(typed ? typed.all("grant") : permissionNames.filter((name) => grants[name] === 1));
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.permissions")}</h1>
    <p class="lead">
      ${
        role === "custom"
          ? say("settings.custom-lead")
          : say.html("settings.role-lead", { role: roleName, choose: linkTo("/settings/channel") })
      }
    </p>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      <fieldset>
        <legend>${say("settings.who-may-what")}</legend>
        <div class="columns">
          ${permissionNames.map((name) =>
            choice(context, {
              label: permissionLabel(say, name),
              name: `limit_${name}`,
              value: typed?.text(`limit_${name}`) ?? String(limits[name]),
              choices: choicesFor(name).map((limit) => [String(limit), limitWords(say, limit)] as const),
              fault,
            }),
          )}
        </div>
      </fieldset>
      ${grantBoxes(say, { legend: say("settings.allow-new"), hint: grantsHint(say, set), granted })}
      <fieldset>
        <legend>${say("settings.more")}</legend>
        ${box({ label: say("settings.auto-approve"), name: "auto", checked: typed ? typed.has("auto") : autoApprove })}
        ${box({ label: say("settings.shows-online"), name: "online", checked: typed ? typed.has("online") : online })}
      </fieldset>
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>`;
  return show(context, { title: say("settings.permissions"), main, status: fault?.status ?? 200 });
}

function grantsHint(say: Say, set: PermissionSet | undefined): string {
  return set ? say("settings.new-get-set", { set: set.name }) : say("settings.allow-new-hint");
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await setOwnRules(context.hub, context.member.channel, {
        limits: limitsIn(context.say, typed),
        granted: grantsIn(typed),
        autoApprove: typed.has("auto"),
        showsOnline: typed.has("online"),
      });
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, typed, fault),
  );
}

function limitsIn(say: Say, typed: Fields): PermissionLimits {
  return recordOf(permissionNames, (name) => {
    const limit = typed.number(`limit_${name}`);
    if (limit === undefined) throw fault(`limit_${name}`, say("settings.choose-reach"));
    return limit;
  });
}
