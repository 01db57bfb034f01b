import { html } from "hono/html";
import { siteTexts } from "../../../../domain/identity/site/site-settings.ts";
import { show } from "../../answers.ts";
import type { Html, Page, PageContext } from "../../page.ts";

/** What those who run the hub say of it: about, rules, what it does with data, where to write. */
export const aboutPages: Page[] = [{ path: "/about", access: "anybody", kept: true, get: page }];

async function page(context: PageContext): Promise<Response> {
  const { description, about, rules, privacyPolicy, publicEmail } = await siteTexts(context.hub);
  const { name } = context.site;
  const main = html`<h1>About ${name}</h1>
    ${description === "" ? "" : html`<p class="lead">${description}</p>`}
    ${about === "" ? "" : html`<section class="card">${paragraphs(about)}</section>`}
    ${
      rules.length === 0
        ? ""
        : html`<section class="card">
            <h2 id="rules">Rules</h2>
            <ol class="prose">
              ${rules.map((rule) => html`<li>${rule}</li>`)}
            </ol>
          </section>`
    }
    ${
      privacyPolicy === ""
        ? ""
        : html`<section class="card">
            <h2 id="privacy">What the hub does with data</h2>
            ${paragraphs(privacyPolicy)}
          </section>`
    }
    ${publicEmail === "" ? "" : html`<p>Write to those who run it: <a href="mailto:${publicEmail}">${publicEmail}</a></p>`}
    ${
      description + about + privacyPolicy + publicEmail === "" && rules.length === 0
        ? html`<p class="empty">
            Those who run this hub have not written anything about it yet. <a href="/help">What things mean</a> here is
            said elsewhere.
          </p>`
        : ""
    }`;
  return show(context, {
    title: `About ${name}`,
    main,
    preview: () => ({ kind: "website", description: description || `What ${name} is, and its rules.` }),
  });
}

function paragraphs(text: string): Html {
  return html`<div class="prose">${text.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)}</div>`;
}
