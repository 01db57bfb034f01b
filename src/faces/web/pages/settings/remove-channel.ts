import { removeChannel } from "../../../../domain/connections/remove-channel.ts";
import { listChannels } from "../../../../domain/identity/channels/channels.ts";
import { newPlace } from "../../../../domain/identity/channels/moved.ts";
import { channelFigures } from "../../../../domain/items/channel-figures.ts";
import { actAs } from "../../../../domain/push/subscriptions.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, token } from "../../parts/forms.ts";

const home = "/settings/channel/remove";

/** The end of one of several channels; the account goes on as another one. */
export const settingsRemoveChannelPages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context), post: remove },
];

function remove(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      const next = await another(context);
      if (next === undefined) throw fault("sure", say("security.remove-channel-only"));
      if (!typed.has("sure")) throw fault("sure", say("security.tick-sure"));
      await checkPassword(context, typed);
      // The log-ins that act as a channel end with it, and this one shall stay.
      await actAs(hub, member.token, next);
      await removeChannel(hub, member.channel.channel_id);
      return redirect(context, "/manage", "channelremoved");
    },
    (fault) => page(context, typed, fault),
  );
}

/** The channel of the account that the browser goes on as: the usual one, if it is not that which goes. */
async function another({ hub, member }: MemberContext): Promise<number | undefined> {
  const { account_id, account_default_channel: usual } = member.account;
  const others = (await listChannels(hub, account_id))
    .map(({ channel_id }) => channel_id)
    .filter((id) => id !== member.channel.channel_id);
  return others.find((id) => id === usual) ?? others[0];
}

async function page(context: MemberContext, typed = new Fields(), wrong?: Fault): Promise<Response> {
  const { member, say } = context;
  const { channel } = member;
  const title = say("security.remove-channel", { name: channel.channel_name });
  const isOnly = (await another(context)) === undefined;
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="/settings/account">${say("settings.account")}</a>
    </p>
    <section class="card form-page">
      <h1>${title}</h1>
      ${isOnly ? onlyOne(context) : html`${await whatGoes(context)} ${form(context, typed, wrong, title)}`}
    </section>`;
  return show(context, { title, main, status: wrong?.status ?? 200 });
}

/** In words and figures, and where the channel goes on if it has moved. */
async function whatGoes({ hub, member: { channel }, say }: MemberContext): Promise<Html> {
  const [figures, place] = await Promise.all([channelFigures(hub, channel), newPlace(hub, channel)]);
  const address = `${channel.channel_address}@${hub.config.host}`;
  return html`<p class="lead">${say("security.remove-channel-lead", { address })}</p>
    <ul>
      <li>${say("security.remove-channel-posts", { count: figures.posts })}</li>
      <li>${say("security.remove-channel-files", { count: figures.files })}</li>
      <li>${say("security.remove-channel-connections", { count: figures.connections })}</li>
      <li>${say("security.remove-channel-rest")}</li>
    </ul>
    ${place ? html`<p class="alert">${say.html("security.remove-channel-moved", { address: place.address || place.url, place: linkTo(place.url) })}</p>` : ""}
    <p>${say.html("security.delete-means", { export: linkTo("/uexport") })}</p>`;
}

/** Nobody types a password for what would be refused. */
function onlyOne({ say }: MemberContext): Html {
  return html`<p class="alert">${say("security.remove-channel-only")}</p>
    <p>
      <a href="/new_channel">${say("channels.make-another")}</a> ·
      <a href="/settings/account/delete">${say("security.delete-everything")}</a>
    </p>`;
}

function form(context: MemberContext, typed: Fields, wrong: Fault | undefined, title: string): Html {
  return html`<form method="post" action="${home}">
    ${token(context)} ${alert(wrong)}
    ${box({ label: context.say("security.i-am-sure"), name: "sure", checked: typed.has("sure") })}
    ${passwordFields(context, { fault: wrong })}
    <p class="submit"><button class="button danger">${title}</button></p>
  </form>`;
}
