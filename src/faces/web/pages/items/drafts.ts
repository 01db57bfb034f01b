import { dropSketch, findSketch, listSketches } from "../../../../domain/items/posting/sketches.ts";
import type { Sketch } from "../../../../domain/items/posting/sketches.ts";
import { HubError, missing } from "../../../../errors.ts";
import { json, redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { localPath, withParameter } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { buttonForm } from "../../parts/forms.ts";
import { keepTyped } from "../../parts/items/take-writing.ts";
import { icon } from "../../parts/icons.ts";
import { shorten } from "../../parts/shorten.ts";
import { time } from "../../parts/times.ts";
import { unseen } from "../../languages/say.ts";

/** What the member has typed and not sent, on whatever device. */
export const draftsPages: Page[] = [
  { path: "/drafts", access: "member", get: list },
  { path: "/drafts/keep", access: "member", post: keep },
  { path: "/drafts/drop", access: "member", post: drop },
  { path: "/drafts/:name", access: "member", get: goOn },
];

/**
 * For scripts: keeps what a form holds at the moment. Of a form that was sent, and has arrived, it keeps nothing and says
 * so; that is usual, and a refusal would stand in the console of the browser.
 */
async function keep(context: MemberContext, typed: Fields): Promise<Response> {
  try {
    await keepTyped(context, typed, placeOf(typed.text("place")));
    return json(context, { kept: true });
  } catch (error) {
    if (error instanceof HubError && error.code === "sketch_posted") return json(context, { kept: false });
    throw error;
  }
}

/** A page of the hub, without what its address said of an earlier draft. */
function placeOf(text: string): string {
  return withParameter(withParameter(localPath(text, "/network"), "draft", ""), "done", "");
}

/** The form that a draft belongs to, with the draft in it. */
async function goOn(context: MemberContext): Promise<Response> {
  const sketch = await findSketch(context.hub, context.member.channel, context.params["name"] ?? "");
  if (!sketch) throw missing("Draft");
  return redirect(context, withParameter(sketch.place, "draft", sketch.name));
}

async function drop(context: MemberContext, typed: Fields): Promise<Response> {
  await dropSketch(context.hub, context.member.channel, typed.word("draft"));
  return redirect(context, "/drafts", "deleted");
}

async function list(context: MemberContext): Promise<Response> {
  const sketches = await listSketches(context.hub, context.member.channel);
  const { say } = context;
  const main = html`<h1>${say("items.drafts")}</h1>
    <p class="lead">${say("items.drafts-lead")}</p>
    ${
      sketches.length > 0
        ? html`<ul class="card people" aria-label="${say("items.drafts")}">
            ${sketches.map((sketch) => row(context, sketch))}
          </ul>`
        : html`<div class="empty">
            <p>${say("items.no-drafts")}</p>
            ${context.refuses("/network", "form") ? "" : html`<p><a class="button" href="/network">${icon("pencil")} ${say("items.write-something")}</a></p>`}
          </div>`
    }`;
  return show(context, { title: say("items.drafts"), main });
}

const words = ["title", "summary", "body", "description"] as const;

function row(context: MemberContext, { name, place, fields, changed }: Sketch): Html {
  const { say } = context;
  const said = new Map(fields);
  const files = fields.filter(([field]) => field === "media_id").length;
  const text = words.map((field) => said.get(field) ?? "").filter((part) => part.trim() !== "");
  const shown = text.length > 0 ? shorten(text.join(" · "), 200) : say("items.without-words");
  // Its form is not there any more for whose channel has moved away: then all of it is read here.
  const way = context.refuses("/network", "form")
    ? html`<p class="prose">${text.join("\n\n")}</p>`
    : html`<a class="name" href="${withParameter(place, "draft", name)}">${shown}</a>`;
  return html`<li class="person">
    <div class="person-words">
      ${way}
      <p class="about">
        ${files > 0 ? say.html("items.draft-with-files", { time: time(context, changed), count: files }) : time(context, changed)}
      </p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/drafts/drop", say.html("items.delete-draft", { words: shown, unseen }), { fields: { draft: name } })}
    </div>
  </li>`;
}
