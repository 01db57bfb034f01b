import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { createChannel, listChannels, setDefaultChannel } from "../../../../domain/identity/channels/channels.ts";
import { isRoleName } from "../../../../domain/identity/channels/roles.ts";
import { actAs } from "../../../../domain/push/subscriptions.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, buttonForm, radios, textField, token } from "../../parts/forms.ts";
import { avatar } from "../../parts/channels/person.ts";
import { roleChoices } from "../../parts/connections/role-labels.ts";

/** The channels of the account: another one, and which one it acts as. */
export const channelsPages: Page[] = [
  { path: "/manage", access: "member", whileMoved: true, asAnyChannel: true, get: list, post: choose },
  { path: "/new_channel", access: "member", whileMoved: true, get: (context) => form(context), post: create },
];

async function list(context: MemberContext): Promise<Response> {
  const { say } = context;
  const channels = await listChannels(context.hub, context.member.account.account_id);
  const main = html`<h1>${say("channels.yours")}</h1>
    <ul class="card people">
      ${channels.map((channel) => row(context, channel))}
    </ul>
    <p>
      <a class="button" href="/new_channel">${say("channels.make-another")}</a>
      <a class="button quiet" href="/import">${say("channels.bring-here")}</a>
    </p>`;
  return show(context, { title: say("channels.yours"), main });
}

function row(context: MemberContext, channel: Channel): Html {
  const { hub, member, say } = context;
  const here = channel.channel_id === member.channel.channel_id;
  const first = channel.channel_id === member.account.account_default_channel;
  const fields = { channel: channel.channel_id };
  return html`<li class="person">
    ${avatar(context, `${hub.config.baseUrl}/photo/profile/m/${channel.channel_id}`)}
    <div class="person-words">
      <a class="name" href="/channel/${channel.channel_address}">${channel.channel_name}</a>
      <span class="address">${channel.channel_address}@${hub.config.host}</span>
      ${first ? html`<p class="about">${say("channels.default")}</p>` : ""}
    </div>
    <div class="person-actions">
      ${here ? html`<span class="badge calm">${say("channels.in-use")}</span>` : buttonForm(context, "/manage", html`${say("channels.use")}<span class="unseen"> ${channel.channel_name}</span>`, { kind: "primary", fields: { ...fields, do: "use" } })}
      ${first ? "" : buttonForm(context, "/manage", say("channels.make-default"), { kind: "quiet", fields: { ...fields, do: "default" } })}
    </div>
  </li>`;
}

async function choose(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const id = typed.number("channel");
  const own = (await listChannels(hub, member.account.account_id)).find((channel) => channel.channel_id === id);
  if (!own) throw missing("Channel");
  if (typed.text("do") === "default") {
    await setDefaultChannel(hub, member.account.account_id, own.channel_id);
    return redirect(context, "/manage", "saved");
  }
  await actAs(hub, member.token, own.channel_id);
  return redirect(context, "/network", "switched");
}

async function create(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      const role = typed.text("role");
      if (!isRoleName(role)) throw fault("role", say("channels.choose-role"));
      const timezone = member.channel.channel_timezone;
      const channel = await createChannel(hub, member.account, {
        nick: typed.text("nick"),
        name: typed.text("name"),
        role,
        timezone,
      });
      await actAs(hub, member.token, channel.channel_id);
      return redirect(context, "/network", "switched");
    },
    (fault) => form(context, typed, fault),
  );
}

async function form(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const main = html`<p class="crumbs"><a href="/manage">${say("channels.yours")}</a></p>
    <form class="card form-page" method="post">
      <h1>${say("channels.new")}</h1>
      <p class="lead">${say("channels.new-lead")}</p>
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("channels.name"), name: "name", value: typed.text("name"), required: true, fault })}
      ${textField(context, { label: say("channels.nick"), name: "nick", value: typed.text("nick"), required: true, hint: say.html("channels.nick-hint", { host: context.hub.config.host }), fault })}
      ${radios({ legend: say("channels.role"), name: "role", value: typed.text("role") || "social", choices: roleChoices(context.say) })}
      <p class="submit"><button class="button primary">${say("channels.make-it")}</button></p>
    </form>`;
  return show(context, { title: say("channels.new"), main, status: fault?.status ?? 200 });
}
