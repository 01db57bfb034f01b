import { createHmac } from "node:crypto";
import { withAnswer } from "../../../../domain/identity/applications/oauth-callbacks.ts";
import { findApp, outOfBand2, redirectOf } from "../../../../domain/identity/applications/oauth2-apps.ts";
import { grantCode, readQuestion } from "../../../../domain/identity/applications/oauth2-codes.ts";
import type { Oauth2Question } from "../../../../domain/identity/applications/oauth2-codes.ts";
import { selectChannel } from "../../../../domain/identity/accounts/select-channel.ts";
import { listChannels } from "../../../../domain/identity/channels/channels.ts";
import { isSameSecret } from "../../../../domain/identity/same-secret.ts";
import { formSecret } from "../../../../domain/identity/site/site-settings.ts";
import { HubError, refusal } from "../../../../errors.ts";
import type { Hub } from "../../../../hub.ts";
import { messageOf } from "../../../../refusals/messages.ts";
import { words } from "../../../words/words.ts";
import { redirect, redirectAway, show } from "../../answers.ts";
import { memberToken } from "../../csrf.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { isMember } from "../../page.ts";
import { answerButtons, channelChoice, notice } from "../../parts/account/consent.ts";
import { rightsOf } from "../../parts/account/rights.ts";
import { alert, token } from "../../parts/forms.ts";
import { credentialForm, enter, hasCredentials } from "./log-in.ts";
import type { Fault } from "../../faults.ts";

/** The page that asks for consent for applications of OAuth 2, which get a code (Mastodon contract 9.3). */

/** Where a code is shown. */
export const nativePath = "/oauth/authorize/native";

/** Shows a code to type into an application; programs with a page of their own watch for this address. */
export const nativeCodePage: Page = { path: nativePath, access: "member", get: showCode };

const names = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "response_mode",
] as const;

const longestState = 2000;

/** Asks whoever is logged in. */
export function askWithCode(context: PageContext): Promise<Response> {
  return withQuestion(context, context.query, (context, question, asked) =>
    wantsPassword(asked) ? passwordPage(context, asked) : ask(context, question, asked),
  );
}

/** Takes the answer: what is granted is what was shown. */
export function takeWithCode(context: PageContext, form: Fields): Promise<Response> {
  return withQuestion(context, form, async (context, question, asked) => {
    if (hasCredentials(form)) return checkPassword(context, question, form);
    if (!isSameSecret(await shownMark(context, asked), form.text("shown"))) throw refusal("form_changed");
    if (form.has("oauth_no")) return answer(context, question, asked, deniedAnswer());
    if (!form.has("oauth_yes")) return ask(context, question, asked);
    const nick = form.word("channel");
    const { channel } = nick === "" ? context.member : await selectChannel(context.hub, context.member, nick);
    return answer(context, question, asked, { code: await grantCode(context.hub, question, channel) });
  });
}

type Step = (context: MemberContext, question: Oauth2Question, asked: Fields) => Promise<Response>;

/** What is wrong with the application or its address is said here; all else is told to the application. */
async function withQuestion(context: PageContext, asked: Fields, step: Step): Promise<Response> {
  const { say } = context;
  const app = await findApp(context.hub, asked.text("client_id"));
  if (!app) return refuse(context, say("account.unknown-app"), say("account.unknown-app-why"));
  const to = redirectOf(app, asked.text("redirect_uri"));
  if (to === undefined)
    return refuse(context, say("account.unknown-address"), say("account.unknown-address-why", { app: app.name }));
  if (asked.text("state").length > longestState)
    return refuse(context, say("account.works-not"), say("account.sent-too-much", { app: app.name }));
  let question: Oauth2Question;
  try {
    question = readQuestion(app, to, {
      responseType: asked.text("response_type"),
      scope: asked.text("scope"),
      challenge: asked.text("code_challenge"),
      challengeMethod: asked.text("code_challenge_method"),
      responseMode: asked.text("response_mode"),
    });
  } catch (error) {
    if (!(error instanceof HubError) || !error.code?.startsWith("oauth_")) throw error;
    return answer(context, { app, redirect: to }, asked, failure(error.code, messageOf(words, error)));
  }
  if (!isMember(context)) {
    const here = `${context.path}?${parametersOf(asked).toString()}`;
    return redirect(context, `/login?next=${encodeURIComponent(here)}`);
  }
  return step(context, question, asked);
}

async function ask(context: MemberContext, question: Oauth2Question, asked: Fields): Promise<Response> {
  const { say } = context;
  const { app, redirect: to, scopes } = question;
  const callback = to === outOfBand2 ? undefined : to;
  const channels = await listChannels(context.hub, context.member.account.account_id);
  const main = html`<section class="card form-page consent">
    <h1>${say("account.let-act", { app: app.name })}</h1>
    <p>
      ${
        app.website === ""
          ? say.html("account.asks-to", { app: app.name })
          : say.html("account.asks-to-from", { app: app.name, site: new URL(app.website).host })
      }
    </p>
    <ul>
      ${rightsOf(say, scopes).map((right) => html`<li>${right}</li>`)}
    </ul>
    <p>${say("account.learns-nothing")}</p>
    <form method="post" action="${context.path}">
      ${token(context)} ${hiddenFields(asked)}
      <input type="hidden" name="shown" value="${await shownMark(context, asked)}" />
      ${channelChoice(context, channels, context.member.channel)} ${answerButtons(context, callback)}
    </form>
  </section>`;
  return show(context, {
    title: say("account.let-act", { app: app.name }),
    main,
    formsLeadElsewhere: callback !== undefined,
  });
}

function hiddenFields(asked: Fields): Html[] {
  return [...parametersOf(asked)].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

function parametersOf(asked: Fields): URLSearchParams {
  const said = names.filter((name) => asked.has(name)).map((name): [string, string] => [name, asked.text(name)]);
  return new URLSearchParams(said);
}

/** Belongs to what was asked and to the log-in that it was shown to. */
async function shownMark({ hub, member }: MemberContext, asked: Fields): Promise<string> {
  return markOf(hub, `${member.csrfToken} ${parametersOf(asked).toString()}`);
}

async function markOf(hub: Hub, text: string): Promise<string> {
  return createHmac("sha256", await formSecret(hub))
    .update(`oauth2 ${text}`)
    .digest("base64url");
}

function wantsPassword(asked: Fields): boolean {
  return !/^(|false|0|f|off|no|none|null|undefined)$/i.test(asked.word("force_login"));
}

/** An application may want the password once more, also of somebody who is logged in. */
async function passwordPage(context: MemberContext, asked: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const main = html`<section class="card form-page">
    <h1>${say("account.once-more")}</h1>
    <p class="lead">${say("account.once-more-why")}</p>
    <form method="post" action="${context.path}">
      ${token(context)} ${alert(fault)} ${hiddenFields(asked)}
      ${await credentialForm(context, asked.has("login") || asked.has("step") ? asked : new Fields([["login", context.member.channel.channel_address]]), fault)}
    </form>
  </section>`;
  return show(context, { title: say("account.once-more"), main, status: fault?.status ?? 200 });
}

function checkPassword(context: MemberContext, question: Oauth2Question, form: Fields): Promise<Response> {
  return enter(context, form, {
    entered: (member) => ask({ ...context, member, formToken: memberToken(member) }, question, form),
    ask: (form, fault) => passwordPage(context, form, fault),
  });
}

type Answer = Readonly<Record<string, string>>;

/** What came of it goes to the address of the application, as it was registered; without one it is shown here. */
function answer(
  context: PageContext,
  { app, redirect: to }: Pick<Oauth2Question, "app" | "redirect">,
  asked: Fields,
  said: Answer,
): Promise<Response> {
  const { say } = context;
  const state: Answer = asked.has("state") ? { state: asked.text("state") } : {};
  if (to !== outOfBand2) return Promise.resolve(redirectAway(context, withAnswer(to, { ...said, ...state })));
  if (said["code"] !== undefined) return Promise.resolve(redirectAway(context, `${nativePath}?code=${said["code"]}`));
  return said["error"] === "access_denied"
    ? notice(context, say("account.access-refused"), html`<p>${say("account.cannot-act", { app: app.name })}</p>`)
    : refuse(context, say("account.works-not"), said["error_description"], "en");
}

function deniedAnswer(): Answer {
  return failure("oauth_access_denied", words.oauth_access_denied as string);
}

function failure(code: string, description: string): Answer {
  return { error: code.replace(/^oauth_/, ""), error_description: description };
}

function showCode(context: MemberContext): Promise<Response> {
  const { say } = context;
  const code = context.query.word("code");
  if (!/^[\w-]{43}$/.test(code)) return refuse(context, say("account.no-code"));
  const words = html`<p>${say("account.type-code")}</p>
    <p class="security-code"><code id="oauth_code">${code}</code></p>
    <p class="hint">${say("account.works-once")}</p>`;
  const main = html`<section class="card notice-page">
    <h1>${say("account.nearly-done")}</h1>
    ${words}
  </section>`;
  return show(context, { title: say("account.nearly-done"), main, headers: { "referrer-policy": "no-referrer" } });
}

/** `lang` is what the sentence is in, where it is for programs. */
function refuse(context: PageContext, title: string, sentence = "", lang = ""): Promise<Response> {
  const { language, say } = context;
  const said = sentence === "" ? "" : html`<p lang="${lang || language.tag}">${sentence}</p>`;
  const words = html`${said}
    <p>${say("account.no-code-why")}</p>`;
  return notice(context, title, words, 400);
}
