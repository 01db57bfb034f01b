import { html } from "hono/html";
import { filterOneWord, listFilters, pageContexts, removeFilter } from "../../../../domain/items/filters.ts";
import type { Filter, FilterContext } from "../../../../domain/items/filters.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { time } from "../../parts/times.ts";
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
  const filters = await listFilters(context.hub, context.member.channel.channel_id);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Filters</h1>
    <p class="lead">
      For words that you do not want to read. For people there are <a href="/connections/muted">muted</a> and
      <a href="/connections/blocked">blocked people</a> and <a href="/connections/hosts">whole servers</a>.
    </p>
    <form class="card form-page" method="post" action="/settings/filters">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: "Words", name: "phrase", value: typed?.text("phrase") ?? "", required: true, fault: wrong })}
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

function row(context: MemberContext, filter: Filter): Html {
  const { id, title } = filter;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${title}</span>
      <p class="about">${about(context, filter)}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/settings/filters/remove", html`Remove<span class="unseen"> ${title}</span>`, { fields: { id } })}
    </div>
  </li>`;
}

/** A filter of this page says how its words count; those of applications say what is in them as well. */
function about(context: MemberContext, { title, words, posts, contexts, action, ends }: Filter): Html {
  const [first] = words;
  const isOne = words.length === 1 && posts.length === 0 && first?.phrase === title;
  const whole = first?.wholeWords ? ", as whole words" : ", anywhere in words";
  const all = words.map(({ phrase }) => `“${phrase}”`).join(", ");
  const some = posts.length > 0 ? ` ${posts.length === 1 ? "1 post" : `${posts.length} posts`}` : "";
  const places = pageContexts.every((one) => contexts.includes(one))
    ? ""
    : `, only in ${contexts.map((one) => placeNames[one]).join(", ")}`;
  return html`${action === "hide" ? "hidden" : "folded"}${isOne ? whole : `: ${all}${some}`}${places}${ends === undefined ? "" : html`, until ${time(context, ends)}`}`;
}

const placeNames: Readonly<Record<FilterContext, string>> = {
  home: "the stream",
  notifications: "notices",
  public: "public posts",
  thread: "threads",
  account: "pages of people",
};

async function add(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const action = actions.find(([name]) => name === typed.text("action"))?.[0];
      if (!action) throw fault("action", "Choose what happens to such posts.");
      await filterOneWord(context.hub, context.member.channel, {
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
  await removeFilter(context.hub, context.member.channel, id);
  return redirect(context, "/settings/filters", "removed");
}
