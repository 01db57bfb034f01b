import { filterOneWord, listFilters, pageContexts, removeFilter } from "../../../../domain/items/filters.ts";
import type { Filter } from "../../../../domain/items/filters.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { time } from "../../parts/times.ts";
import { alert, box, buttonForm, radios, textField, token } from "../../parts/forms.ts";
import { linkTo, unseen } from "../../languages/say.ts";
import type { Say } from "../../languages/say.ts";

/** What the member does not want to read, and where the other ways to have less are. */
export const settingsFiltersPages: Page[] = [
  { path: "/settings/filters", access: "member", get: (context) => page(context), post: add },
  { path: "/settings/filters/remove", access: "member", post: remove },
];

const actions = ["fold", "hide"] as const;

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { say } = context;
  const filters = await listFilters(context.hub, context.member.channel.channel_id);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.filters")}</h1>
    <p class="lead">
      ${say.html("settings.filters-lead", { muted: linkTo("/connections/muted"), blocked: linkTo("/connections/blocked"), hosts: linkTo("/connections/hosts") })}
    </p>
    <form class="card form-page" method="post" action="/settings/filters">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: say("settings.words"), name: "phrase", value: typed?.text("phrase") ?? "", required: true, fault: wrong })}
      ${box({ label: say("settings.whole-words"), name: "whole", checked: typed ? typed.has("whole") : true, hint: say("settings.whole-words-hint") })}
      ${radios({ legend: say("settings.filter-action"), name: "action", value: typed?.text("action") || "fold", choices: actions.map((action) => [action, say(`settings.${action}`), say(`settings.${action}-hint`)] as const) })}
      <p class="hint">${say("settings.filter-hint")}</p>
      <p class="submit"><button class="button primary">${say("settings.add")}</button></p>
    </form>
    ${
      filters.length > 0
        ? html`<ul class="card people" aria-label="${say("settings.filters")}">
            ${filters.map((filter) => row(context, filter))}
          </ul>`
        : html`<p class="empty">
            ${say("settings.filters-none")}
            ${context.refuses("/settings/filters", "form") ? "" : say("settings.filters-say")}
          </p>`
    }`;
  return show(context, { title: say("settings.filters"), main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, filter: Filter): Html {
  const { say } = context;
  const { id, title } = filter;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${title}</span>
      <p class="about">${about(context, filter)}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/settings/filters/remove", say.html("settings.remove-named", { name: title, unseen }), { fields: { id } })}
    </div>
  </li>`;
}

/** A filter of this page says how its words count; those of applications say what is in them as well. */
function about(context: MemberContext, { title, words, posts, contexts, action, ends }: Filter): Html {
  const { say } = context;
  const [first] = words;
  const isOne = words.length === 1 && posts.length === 0 && first?.phrase === title;
  const way = action === "hide" ? "hide" : "fold";
  const places = contexts.map((one) => say(`settings.filtered-${one}`)).join(", ");
  const facts = [
    ...(isOne
      ? [say(`settings.is-${way}`), say(first.wholeWords ? "settings.as-whole-words" : "settings.within-words")]
      : [say(`settings.is-${way}-these`, { these: listed(say, words, posts.length) })]),
    ...(pageContexts.every((one) => contexts.includes(one)) ? [] : [say("settings.filtered-only", { places })]),
    ...(ends === undefined ? [] : [say.html("settings.until", { when: time(context, ends) })]),
  ];
  return html`${facts.map((fact, n) => html`${n > 0 ? ", " : ""}${fact}`)}`;
}

function listed(say: Say, words: Filter["words"], posts: number): string {
  const phrases = words.map(({ phrase }) => say("settings.phrase", { phrase })).join(", ");
  return [phrases, posts > 0 ? say("settings.filtered-posts", { posts }) : ""].filter((one) => one !== "").join(" ");
}

async function add(context: MemberContext, typed: Fields): Promise<Response> {
  const { say } = context;
  return tryForm(
    context,
    async () => {
      const action = actions.find((name) => name === typed.text("action"));
      if (!action) throw fault("action", say("settings.choose-filter-action"));
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
