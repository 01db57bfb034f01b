import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";

/** What somebody has written into a form with which nothing was done. */

const wordFields = ["body", "description", "summary", "title"] as const;

/** Has somebody written something into this form? */
export function hasWords(form: Fields): boolean {
  return wordFields.some((name) => form.word(name) !== "");
}

/** The same fields once more, unseen, but for some. */
export function unseenFields(form: Fields, except: ReadonlySet<string> = new Set()): Html {
  const kept = [...form.entries()].filter(([name]) => !except.has(name));
  return html`${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

/** The words themselves, for those who would rather copy them. */
export function written({ say }: PageContext, form: Fields): Html {
  const name = wordFields.find((name) => form.word(name) !== "") ?? "body";
  return html`<section class="card form-page">
    <div class="field">
      <label for="written">${say("account.written")}</label>
      <textarea id="written" rows="4" readonly>${form.text(name)}</textarea>
    </div>
  </section>`;
}
