import { anotherChannel, removeOneChannel } from "../../../../domain/connections/remove-channel.ts";
import { newPlace } from "../../../../domain/identity/channels/moved.ts";
import { channelFigures } from "../../../../domain/items/channel-figures.ts";
import { refusal } from "../../../../errors.ts";
import { messageOf } from "../../../../refusals/messages.ts";
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
      if (!typed.has("sure")) throw fault("sure", say("security.tick-sure"));
      await checkPassword(context, typed);
      await removeOneChannel(hub, member.channel, member.token);
      return redirect(context, "/manage", "channelremoved");
    },
    (fault) => page(context, typed, fault),
  );
}

async function page(context: MemberContext, typed = new Fields(), wrong?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const { channel } = member;
  const title = say("security.remove-channel", { name: channel.channel_name });
  const isOnly = (await anotherChannel(hub, channel)) === undefined;
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
function onlyOne({ say, language }: MemberContext): Html {
  return html`<p class="alert">${messageOf(language.messages, refusal("only_channel"))}</p>
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
