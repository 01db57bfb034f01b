import { listChannels } from "../../../../domain/identity/channels/channels.ts";
import { outOfBand, withAnswer } from "../../../../domain/identity/applications/oauth-callbacks.ts";
import { consent, findQuestion, refuseConsent } from "../../../../domain/identity/applications/oauth-consent.ts";
import type { Question } from "../../../../domain/identity/applications/oauth-consent.ts";
import { selectChannel } from "../../../../domain/identity/accounts/select-channel.ts";
import { redirect, redirectAway, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page, PageContext } from "../../page.ts";
import { appIcon } from "../../parts/account/app-icon.ts";
import { answerButtons, channelChoice, notice } from "../../parts/account/consent.ts";
import { token } from "../../parts/forms.ts";
import { isMember } from "../../page.ts";
import { askWithCode, takeWithCode } from "./authorize-with-code.ts";

/**
 * Clients know the page by these addresses (microblog contract 2.4), with a slash at the end or without (microblog
 * contract 2.1).
 */
export const authorizePaths: readonly string[] = ["/oauth/authorize", "/oauth/authenticate"]
  .flatMap((path) => [path, `/api${path}`, `/api/1.1${path}`])
  .flatMap((path) => [path, `${path}/`]);

/** Where people let an application act as a channel of theirs, or not. */
export const authorizePages: Page[] = authorizePaths.map((path) => ({
  path,
  access: "anybody",
  get: (context) =>
    context.query.has("client_id") && !context.query.has("oauth_token")
      ? askWithCode(context)
      : withQuestion(context, context.query.word("oauth_token"), ask),
  post: (context, form) =>
    form.has("client_id")
      ? takeWithCode(context, form)
      : withQuestion(context, form.word("oauth_token") || context.query.word("oauth_token"), (context, question) =>
          take(context, question, form),
        ),
}));

type Step = (context: MemberContext, question: Question) => Promise<Response>;

/** A question that nobody asks is refused before anybody has to log in for it. */
async function withQuestion(context: PageContext, name: string, step: Step): Promise<Response> {
  // One question at a time.
  if (context.query.has("client_id")) return unknown(context);
  const question = await findQuestion(context.hub, name);
  if (!question) return unknown(context);
  const here = `${context.path}?oauth_token=${encodeURIComponent(name)}`;
  if (!isMember(context)) return redirect(context, `/login?next=${encodeURIComponent(here)}`);
  return step(context, question);
}

async function ask(context: MemberContext, question: Question): Promise<Response> {
  const { say } = context;
  const { account, channel } = context.member;
  const channels = await listChannels(context.hub, account.account_id);
  const main = html`<section class="card form-page consent">
    <header>
      ${appIcon(context, question.icon)}
      <h1>${say("account.let-act", { app: question.name })}</h1>
    </header>
    <p>${say.html("account.asks-for-all", { app: question.name })}</p>
    <form method="post" action="${context.path}">
      ${token(context)}
      <input type="hidden" name="oauth_token" value="${question.token}" />
      ${channelChoice(context, channels, channel)}
      ${answerButtons(context, question.callback === outOfBand ? undefined : question.callback)}
    </form>
  </section>`;
  return show(context, {
    title: say("account.let-act", { app: question.name }),
    main,
    formsLeadElsewhere: question.callback !== outOfBand,
  });
}

async function take(context: MemberContext, question: Question, form: Fields): Promise<Response> {
  if (form.has("oauth_no")) return refuse(context, question);
  if (!form.has("oauth_yes")) return ask(context, question);
  const nick = form.word("channel");
  const { channel } = nick === "" ? context.member : await selectChannel(context.hub, context.member, nick);
  const verifier = await consent(context.hub, question, channel);
  if (question.callback === outOfBand) return showCode(context, question, verifier);
  const answer = { oauth_token: question.token, oauth_verifier: verifier };
  return redirectAway(context, withAnswer(question.callback, answer));
}

async function refuse(context: MemberContext, question: Question): Promise<Response> {
  await refuseConsent(context.hub, question);
  if (question.callback !== outOfBand)
    return redirectAway(context, withAnswer(question.callback, { denied: question.token }));
  const { say } = context;
  const words = html`<p>${say("account.access-refused-words", { app: question.name })}</p>`;
  return notice(context, say("account.access-refused"), words);
}

function showCode(context: PageContext, question: Question, code: string): Promise<Response> {
  const { say } = context;
  const words = html`<p>${say("account.type-security-code", { app: question.name })}</p>
    <p id="oauth_pin" class="security-code"><code>${code}</code></p>
    <p class="hint">${say("account.works-once")}</p>`;
  return notice(context, say("account.nearly-done"), words);
}

function unknown(context: PageContext): Promise<Response> {
  const { say } = context;
  const words = html`<p>${say("account.unknown-question")}</p>
    <p>${say("account.unknown-question-why")}</p>`;
  return notice(context, say("account.works-no-more"), words, 400);
}
