import { html } from "hono/html";
import { HubError } from "../../../../errors.ts";
import { show } from "../../answers.ts";
import { faultOf } from "../../faults.ts";
import type { Html, Page, PageContext } from "../../page.ts";

/** The page for an error: the same for what does not exist and for what the visitor may not see. */
export async function refusal(context: PageContext, error: unknown): Promise<Response> {
  if (error instanceof HubError && error.kind === "missing") return notFound(context);
  if (error instanceof HubError && error.reason === "form_token") return formRefused(context, error.message);
  const fault = faultOf(error);
  if (!fault || fault.status >= 500)
    context.hub.log.error("Page {path} failed: {error}", { id: context.id, path: context.logged, error });
  if (fault) {
    const headers: Record<string, string> =
      fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
    return show(context, {
      title: "That did not work",
      status: fault.status,
      headers,
      main: notice("That did not work", html`<p>${fault.sentence}</p>`),
    });
  }
  return broken(context);
}

/** The page for a path that is there, but not for this method. */
export async function wrongMethod(context: PageContext, page: Page): Promise<Response> {
  const allow = [page.get ? "GET, HEAD" : "", page.post ? "POST" : ""].filter((names) => names !== "").join(", ");
  return show(context, {
    title: "Not this way",
    status: 405,
    headers: { allow },
    main: notice("Not this way", html`<p>This page cannot be used like that.</p>`),
  });
}

async function notFound(context: PageContext): Promise<Response> {
  const main = notice(
    "Nothing to see here",
    html`<p>
      There is no such page, or it is not for you.
      ${context.member ? "" : html`If you have an account, <a href="/login">log in</a> and try again.`}
    </p>`,
  );
  return show(context, { title: "Not found", status: 404, main });
}

async function formRefused(context: PageContext, sentence: string): Promise<Response> {
  const main = notice(
    "Please send this form again",
    html`<p>${sentence} Nothing was changed.</p>
      <p>Go back, load the page once more, and send the form again.</p>`,
  );
  return show(context, { title: "Please send this form again", status: 403, main });
}

async function broken(context: PageContext): Promise<Response> {
  const main = notice(
    "Something went wrong",
    html`<p>The fault is ours. If you tell the administrator, please mention <code>${context.id}</code>.</p>`,
  );
  return show(context, { title: "Something went wrong", status: 500, main });
}

function notice(title: string, words: Html): Html {
  return html`<section class="card notice-page">
    <h1>${title}</h1>
    ${words}
    <p><a class="button" href="/">Back to the beginning</a></p>
  </section>`;
}
