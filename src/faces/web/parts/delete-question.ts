import { show } from "../answers.ts";
import { html } from "../html.ts";
import type { Html, PageContext } from "../page.ts";
import { token } from "./forms.ts";

type Question = {
  question: string;
  consequence: Html | string;
  /** Where those go who think better of it. */
  wayBack: string;
  button?: string;
  /** What the form says besides, where its page takes several. */
  fields?: Html;
};

/** A page that asks before something is gone for good. */
export function deleteQuestion(
  context: PageContext,
  { question, consequence, wayBack, button = context.say("forms.delete"), fields }: Question,
): Promise<Response> {
  const main = html`<section class="card form-page">
    <h1>${question}</h1>
    <p>${consequence}</p>
    <form method="post">
      ${token(context)} ${fields ?? ""}
      <p class="submit">
        <button class="button danger">${button}</button> <a href="${wayBack}">${context.say("forms.keep-it")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: question, main });
}
