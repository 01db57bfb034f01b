import { html } from "hono/html";
import { HubError } from "../../../../errors.ts";
import { show } from "../../answers.ts";
import { faultOf } from "../../faults.ts";
import type { Html, Page, Visit } from "../../page.ts";

/** The page for an error: the same for what does not exist and for what the visitor may not see. */
export async function refusal(visit: Visit, error: unknown): Promise<Response> {
  if (error instanceof HubError && error.kind === "missing") return notFound(visit);
  if (error instanceof HubError && error.reason === "form_token") return formRefused(visit, error.message);
  const fault = faultOf(error);
  if (!fault || fault.status >= 500)
    visit.hub.log.error("Page {path} failed: {error}", { id: visit.id, path: visit.logged, error });
  if (fault) {
    const headers: Record<string, string> =
      fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
    return show(visit, {
      title: "That did not work",
      status: fault.status,
      headers,
      main: notice("That did not work", html`<p>${fault.sentence}</p>`),
    });
  }
  return broken(visit);
}

/** The page for a path that is there, but not for this method. */
export async function wrongMethod(visit: Visit, page: Page): Promise<Response> {
  const allow = [page.get ? "GET, HEAD" : "", page.post ? "POST" : ""].filter((names) => names !== "").join(", ");
  return show(visit, {
    title: "Not this way",
    status: 405,
    headers: { allow },
    main: notice("Not this way", html`<p>This page cannot be used like that.</p>`),
  });
}

async function notFound(visit: Visit): Promise<Response> {
  const main = notice(
    "Nothing to see here",
    html`<p>
      There is no such page, or it is not for you.
      ${visit.member ? "" : html`If you have an account, <a href="/login">log in</a> and try again.`}
    </p>`,
  );
  return show(visit, { title: "Not found", status: 404, main });
}

async function formRefused(visit: Visit, sentence: string): Promise<Response> {
  const main = notice(
    "Please send this form again",
    html`<p>${sentence} Nothing was changed.</p>
      <p>Go back, load the page once more, and send the form again.</p>`,
  );
  return show(visit, { title: "Please send this form again", status: 403, main });
}

async function broken(visit: Visit): Promise<Response> {
  const main = notice(
    "Something went wrong",
    html`<p>The fault is ours. If you tell the administrator, please mention <code>${visit.id}</code>.</p>`,
  );
  return show(visit, { title: "Something went wrong", status: 500, main });
}

function notice(title: string, words: Html): Html {
  return html`<section class="card notice-page">
    <h1>${title}</h1>
    ${words}
    <p><a class="button" href="/">Back to the beginning</a></p>
  </section>`;
}
