import { html } from "hono/html";
import { addWordFilter, listWordFilters, removeWordFilter } from "../../../../domain/items/word-filters.ts";
import type { WordFilter } from "../../../../domain/items/word-filters.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, buttonForm, radios, textField, token } from "../../parts/forms.ts";

/** What the member does not want to read, and where the other ways to have less are. */
export const settingsFiltersPages: Page[] = [
  { path: "/settings/filters", access: "member", get: (context) => page(context), post: add },
  { path: "/settings/filters/remove", access: "member", post: remove },
];

const actions = [
  ["fold", "Fold", "Posts with these words are shown folded, and you decide whether to open them."],
  ["hide", "Hide", "They do not stand in your stream. Where you come across them elsewhere, they are folded."],
] as const;

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const filters = await listWordFilters(context.hub, context.member.channel.channel_id);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Filters</h1>
    <p class="lead">
      For words that you do not want to read. For people there are <a href="/connections/muted">muted</a> and
      <a href="/connections/blocked">blocked people</a> and <a href="/connections/hosts">whole servers</a>.
    </p>
    <form class="card form-page" method="post" action="/settings/filters">
      ${token(context)} ${alert(wrong)}
      ${textField({ label: "Words", name: "phrase", value: typed?.text("phrase") ?? "", required: true, fault: wrong })}
      ${box({ label: "Only as whole words", name: "whole", checked: typed ? typed.has("whole") : true, hint: "“cat” then finds neither “category” nor “cats”, but “#cat”." })}
      ${radios({ legend: "What happens to posts with these words?", name: "action", value: typed?.text("action") || "fold", choices: actions })}
      <p class="hint">
        Titles, content warnings and texts are looked at. Nobody is told, and your own posts always stand.
      </p>
      <p class="submit"><button class="button primary">Add</button></p>
    </form>
    ${
      filters.length > 0
        ? html`<ul class="card people" aria-label="Filters">
            ${filters.map((filter) => row(context, filter))}
          </ul>`
        : html`<p class="empty">You filter nothing.</p>`
    }`;
  return show(context, { title: "Filters", main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, { id, phrase, wholeWords, hides }: WordFilter): Html {
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${phrase}</span>
      <p class="about">${hides ? "hidden" : "folded"}${wholeWords ? ", as whole words" : ", anywhere in words"}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/settings/filters/remove", html`Remove<span class="unseen"> ${phrase}</span>`, { fields: { id } })}
    </div>
  </li>`;
}

async function add(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const action = actions.find(([name]) => name === typed.text("action"))?.[0];
      if (!action) throw fault("action", "Choose what happens to such posts.");
      await addWordFilter(context.hub, context.member.channel, {
        phrase: typed.text("phrase"),
        wholeWords: typed.has("whole"),
        hides: action === "hide",
      });
      return redirect(context, "/settings/filters", "saved");
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function remove(context: MemberContext, form: Fields): Promise<Response> {
  const id = form.number("id");
  if (id === undefined) throw missing("Filter");
  await removeWordFilter(context.hub, context.member.channel, id);
  return redirect(context, "/settings/filters", "removed");
}
