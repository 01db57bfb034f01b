import { siteTexts } from "../../../../domain/identity/site/site-settings.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, Page, PageContext } from "../../page.ts";

/** What those who run the hub say of it: about, rules, what it does with data, where to write. */
export const aboutPages: Page[] = [{ path: "/about", access: "anybody", mayBeStale: true, kept: true, get: page }];

async function page(context: PageContext): Promise<Response> {
  const { say } = context;
  const { description, about, rules, privacyPolicy, publicEmail } = await siteTexts(context.hub);
  const { name } = context.site;
  const main = html`<h1>${say("site.about", { name })}</h1>
    ${description === "" ? "" : html`<p class="lead">${description}</p>`}
    ${about === "" ? "" : html`<section class="card">${paragraphs(about)}</section>`}
    ${
      rules.length === 0
        ? ""
        : html`<section class="card">
            <h2 id="rules">${say("site.rules")}</h2>
            <ol class="prose">
              ${rules.map((rule) => html`<li>${rule}</li>`)}
            </ol>
          </section>`
    }
    ${
      privacyPolicy === ""
        ? ""
        : html`<section class="card">
            <h2 id="privacy">${say("site.data")}</h2>
            ${paragraphs(privacyPolicy)}
          </section>`
    }
    ${publicEmail === "" ? "" : html`<p>${say.html("site.write-to", { mail: linkTo(`mailto:${publicEmail}`), address: publicEmail })}</p>`}
    ${
      description + about + privacyPolicy + publicEmail === "" && rules.length === 0
        ? html`<p class="empty">${say.html("site.about-nothing", { help: linkTo("/help") })}</p>`
        : ""
    }`;
  return show(context, {
    title: say("site.about", { name }),
    main,
    preview: () => ({ kind: "website", description: description || say("site.about-preview", { name }) }),
  });
}

function paragraphs(text: string): Html {
  return html`<div class="prose">${text.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)}</div>`;
}
