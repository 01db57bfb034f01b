import { missing } from "../../../../errors.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { findMailed, stopMails } from "../../../../domain/notifications/unsubscribe.ts";
import { html } from "../../html.ts";
import { unsubscribePath } from "../../mails/notices.ts";
import type { Page, PageContext } from "../../page.ts";
import { notice } from "../../parts/account/consent.ts";
import { token } from "../../parts/forms.ts";

/** Ends mails about notices, for whoever has one of them: by a button, or by the mail program itself (RFC 8058). */
export const unsubscribePages: Page[] = [
  {
    path: `${unsubscribePath}/:token`,
    access: "anybody",
    whileMoved: true,
    sentByLink: true,
    get: ask,
    post: stop,
  },
];

async function ask(context: PageContext): Promise<Response> {
  const { say, site } = context;
  const channel = await mailedBy(context);
  const words = html`<p>${say.html("account.mails-end-lead", { name: channel.channel_name, site: site.name })}</p>
    <form method="post">
      ${token(context)}
      <p class="submit"><button class="button primary">${say("account.no-more-mails")}</button></p>
    </form>`;
  return notice(context, say("account.mails-end"), words);
}

async function stop(context: PageContext): Promise<Response> {
  const { say } = context;
  const channel = await mailedBy(context);
  await stopMails(context.hub, channel.channel_id);
  const words = html`<p>${say("account.mails-ended", { name: channel.channel_name })}</p>
    <p><a href="/settings/notices">${say("account.choose-notices")}</a></p>`;
  return notice(context, say("account.no-more-mails"), words);
}

async function mailedBy({ hub, params }: PageContext): Promise<Channel> {
  const channel = await findMailed(hub, params["token"] ?? "");
  if (!channel) throw missing("Page");
  return channel;
}
