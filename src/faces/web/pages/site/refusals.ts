import { HubError, Overloaded } from "../../../../errors.ts";
import { messageOf } from "../../../../refusals/messages.ts";
import { nothing, show } from "../../answers.ts";
import { faultOf, isStrangeForm } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, Page, PageContext } from "../../page.ts";
import { hasWords, unseenFields, written } from "../../parts/account/kept-writing.ts";
import { credentialNames } from "../account/log-in.ts";

/** Nobody finds a password of theirs in a page. */
const notKept: ReadonlySet<string> = new Set(credentialNames);

/**
 * The page for an error: the same for what does not exist and for what the visitor may not see. What was written into the
 * form that it answers stands below, and goes out once more with one press where that may help.
 */
export async function refusal(context: PageContext, error: unknown, form = new Fields()): Promise<Response> {
  const { say } = context;
  if (error instanceof HubError && error.kind === "missing") return notFound(context, form);
  if (error instanceof HubError && isStrangeForm(error)) return formRefused(context, error, form);
  const fault = faultOf(context, error);
  if (!fault || (fault.status >= 500 && !(error instanceof Overloaded)))
    context.hub.log.error("Page {path} failed: {error}", { id: context.id, path: context.logged, error });
  if (fault) {
    const isForm = context.method === "POST";
    const isWorth = (fault.status === 429 || fault.status === 503) && (!isForm || hasWords(form));
    const headers: Record<string, string> =
      fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
    return show(context, {
      title: say("site.did-not-work"),
      status: fault.status,
      headers,
      main: notice(context, {
        title: say("site.did-not-work"),
        words: html`<p>${fault.sentence}</p>`,
        again: isWorth ? context.here : "",
        resent: isWorth && isForm,
        form,
      }),
    });
  }
  return broken(context, form);
}

/** The page for a path that is there, but not for this method; who asks for the methods is told them (federation contract 2.1). */
export async function wrongMethod(context: PageContext, page: Page): Promise<Response> {
  const { say } = context;
  const allow = [...(page.get ? ["GET", "HEAD"] : []), ...(page.post ? ["POST"] : []), "OPTIONS"].join(", ");
  if (context.method === "OPTIONS") return nothing(context, { allow });
  return show(context, {
    title: say("site.not-this-way"),
    status: 405,
    headers: { allow },
    main: notice(context, {
      title: say("site.not-this-way"),
      words: html`<p>${say("site.not-this-way-lead")}</p>`,
    }),
  });
}

async function notFound(context: PageContext, form: Fields): Promise<Response> {
  const { say } = context;
  const sentence = context.member
    ? say("site.no-such-page")
    : say.html("site.no-such-page-visitor", { in: linkTo("/login") });
  const main = notice(context, { title: say("site.nothing-to-see"), words: html`<p>${sentence}</p>`, form });
  return show(context, { title: say("site.not-found"), status: 404, main });
}

async function formRefused(context: PageContext, error: HubError, form: Fields): Promise<Response> {
  const { language, say } = context;
  const words = html`<p>${say("site.nothing-changed", { sentence: messageOf(language.messages, error) })}</p>
    <p>${say("site.send-again-lead")}</p>`;
  const main = notice(context, { title: say("site.send-again"), words, again: context.from, form });
  return show(context, { title: say("site.send-again"), status: 403, main });
}

async function broken(context: PageContext, form: Fields): Promise<Response> {
  const { say } = context;
  const words = html`<p>${say.html("site.went-wrong-lead", { id: context.id })}</p>`;
  const main = notice(context, { title: say("site.went-wrong"), words, form });
  return show(context, { title: say("site.went-wrong"), status: 500, main });
}

type Notice = {
  title: string;
  words: Html;
  /** A page that is worth another try. */
  again?: string;
  /** Is it the form that is worth it? */
  resent?: boolean;
  /** What was typed. */
  form?: Fields;
};

function notice({ say, ...context }: PageContext, about: Notice): Html {
  const { title, words, again = "", resent = false, form = new Fields() } = about;
  const tryAgain = resent
    ? html`<button class="button primary">${say("site.try-again")}</button>`
    : html`<a class="button primary" href="${again}">${say("site.try-again")}</a>`;
  const ways = html`<p class="submit">
    ${again === "" ? "" : tryAgain} <a class="button" href="/">${say("site.to-the-beginning")}</a>
  </p>`;
  return html`<section class="card notice-page">
      <h1>${title}</h1>
      ${words}
      ${resent ? html`<form method="post" action="${again}">${unseenFields(form, notKept)} ${ways}</form>` : ways}
    </section>
    ${hasWords(form) ? written({ say, ...context }, form) : ""}`;
}
