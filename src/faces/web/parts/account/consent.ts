import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, PageContext } from "../../page.ts";
import { choice } from "../forms.ts";

/** Parts of the page on which people let an application act as a channel of theirs, whatever it speaks. */

/** As which channel of the account it will act. */
export function channelChoice(context: PageContext, channels: readonly Channel[], current: Channel): Html {
  const words = ({ channel_name, channel_address }: Channel): string => `${channel_name} (${channel_address})`;
  if (channels.length < 2) return html`<p>${context.say.html("account.will-act", { channel: words(current) })}</p>`;
  return choice(context, {
    label: context.say("account.will-act-as"),
    name: "channel",
    value: current.channel_address,
    choices: channels.map((channel) => [channel.channel_address, words(channel)]),
  });
}

/** What happens after a yes; `callback` undefined: a code is shown. */
function whatFollows({ say }: PageContext, callback: string | undefined): Html {
  if (callback === undefined) return say.html("account.code-follows");
  return say.html("account.then-to", { place: placeOf(callback) });
}

/** The two buttons, and how it can be undone. */
export function answerButtons(context: PageContext, callback: string | undefined): Html {
  const { say } = context;
  return html`<p>
      ${whatFollows(context, callback)} ${say.html("account.take-back", { applications: linkTo("/settings/oauth/") })}
    </p>
    <p class="submit">
      <button class="button primary" name="oauth_yes" value="1">${say("account.yes")}</button>
      <button class="button" name="oauth_no" value="1">${say("account.no")}</button>
    </p>`;
}

/** The host; what has none, such as an application on a phone, is known by the scheme of its address. */
function placeOf(callback: string): string {
  const { protocol, host } = new URL(callback);
  return /^https?:$/.test(protocol) ? host : protocol + (host ? `//${host}` : "");
}

/** A page that says how it ended. */
export function notice(context: PageContext, title: string, words: Html, status = 200): Promise<Response> {
  const main = html`<section class="card notice-page">
    <h1>${title}</h1>
    ${words}
  </section>`;
  return show(context, { title, main, status });
}

/** Says that the link of a mail does nothing; `more` says what does. */
export function useless(context: PageContext, more: Html | string = ""): Promise<Response> {
  const words = html`<p>${context.say("account.useless")}</p>
    ${more}`;
  return notice(context, context.say("account.useless-title"), words, 404);
}
