import { HubError } from "../../../../errors.ts";
import { messageOf } from "../../../../refusals/messages.ts";
import { nothing, show } from "../../answers.ts";
import { faultOf, isStrangeForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, Page, PageContext } from "../../page.ts";

/** The page for an error: the same for what does not exist and for what the visitor may not see. */
export async function refusal(context: PageContext, error: unknown): Promise<Response> {
  const { say } = context;
  if (error instanceof HubError && error.kind === "missing") return notFound(context);
  if (error instanceof HubError && isStrangeForm(error)) return formRefused(context, error);
  const fault = faultOf(context, error);
  if (!fault || fault.status >= 500)
    context.hub.log.error("Page {path} failed: {error}", { id: context.id, path: context.logged, error });
  if (fault) {
    const headers: Record<string, string> =
      fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
    return show(context, {
      title: say("site.did-not-work"),
      status: fault.status,
      headers,
      main: notice(
        context,
        say("site.did-not-work"),
        html`<p>${fault.sentence}</p>`,
        isPassing(context, fault) ? context.here : "",
      ),
    });
  }
  return broken(context);
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
    main: notice(context, say("site.not-this-way"), html`<p>${say("site.not-this-way-lead")}</p>`),
  });
}

async function notFound(context: PageContext): Promise<Response> {
  const { say } = context;
  const main = notice(
    context,
    say("site.nothing-to-see"),
    html`<p>
      ${context.member ? say("site.no-such-page") : say.html("site.no-such-page-visitor", { in: linkTo("/login") })}
    </p>`,
  );
  return show(context, { title: say("site.not-found"), status: 404, main });
}

async function formRefused(context: PageContext, error: HubError): Promise<Response> {
  const { language, say } = context;
  const main = notice(
    context,
    say("site.send-again"),
    html`<p>${say("site.nothing-changed", { sentence: messageOf(language.messages, error) })}</p>
      <p>${say("site.send-again-lead")}</p>`,
    context.from,
  );
  return show(context, { title: say("site.send-again"), status: 403, main });
}

async function broken(context: PageContext): Promise<Response> {
  const { say } = context;
  const main = notice(
    context,
    say("site.went-wrong"),
    html`<p>${say.html("site.went-wrong-lead", { id: context.id })}</p>`,
  );
  return show(context, { title: say("site.went-wrong"), status: 500, main });
}

/** Is it worth asking for the same page again? A form would not be sent by that. */
function isPassing({ method }: PageContext, { status }: Fault): boolean {
  return method !== "POST" && (status === 429 || status === 503);
}

/** `again` is a page that is worth another try. */
function notice({ say }: PageContext, title: string, words: Html, again = ""): Html {
  return html`<section class="card notice-page">
    <h1>${title}</h1>
    ${words}
    <p class="submit">
      ${again === "" ? "" : html`<a class="button primary" href="${again}">${say("site.try-again")}</a>`}
      <a class="button" href="/">${say("site.to-the-beginning")}</a>
    </p>
  </section>`;
}
