import { lookFaultIn } from "../../../../domain/import/lists/carry-out.ts";
import type { EntryState, ListEntry, ListImport } from "../../../../domain/import/lists/lists.ts";
import type { ListKind } from "../../../../domain/import/lists/read-list.ts";
import { storedMoment } from "../../../../http/dates.ts";
import { messageOfKept } from "../../../../refusals/messages.ts";
import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import { lookFaultMessage } from "../../look-up.ts";
import type { Html, MemberContext } from "../../page.ts";

/** What a page says of a list that somebody has brought along. */

type Counts = Readonly<Record<EntryState, number>>;

/** What there is in it, before anything happens. */
export function openings(say: Say, kind: ListKind, counts: Counts): Html {
  return html`<ul>
      ${entry(say, "to-do", counts.waiting)} ${entry(say, `there-${kind}`, counts.there)}
      ${entry(say, "unusable", counts.unusable)}
    </ul>
    ${counts.waiting > 0 ? html`<p class="hint">${say(`lists.means-${kind}`)}</p>` : ""}`;
}

/** How far it has come. */
export function standing(context: MemberContext, { kind, state, goesOn }: ListImport, counts: Counts): Html {
  const { say } = context;
  const settled = counts.done + counts.there + counts.failed;
  const total = settled + counts.waiting;
  return html`<p role="status">${`${say("lists.settled", { settled, total })} ${ending(context, state, goesOn)}`}</p>
    <progress class="upload-progress" max="${Math.max(1, total)}" value="${settled}">
      ${say("lists.progress", { settled, total })}
    </progress>
    <ul>
      ${entry(say, `done-${kind}`, counts.done)} ${entry(say, `there-${kind}`, counts.there)}
      ${entry(say, "failed", counts.failed)}
      ${entry(say, state === "running" ? "waiting" : "not-begun", counts.waiting)}
      ${entry(say, "unusable", counts.unusable)}
    </ul>
    ${state === "running" ? html`<p class="hint">${say("lists.close-page")}</p>` : ""}`;
}

function ending({ now, say }: MemberContext, state: ListImport["state"], goesOn: string): string {
  if (state === "stopped") return say("lists.is-stopped");
  if (state === "done") return say("lists.is-done");
  const minutes = Math.ceil((storedMoment(goesOn).getTime() - now.getTime()) / 60_000);
  if (minutes <= 1) return say("lists.is-running");
  return minutes < 90
    ? say("lists.goes-on-minutes", { count: minutes })
    : say("lists.goes-on-hours", { count: Math.round(minutes / 60) });
}

type EntryText = "to-do" | "waiting" | "not-begun" | "failed" | "unusable" | `there-${ListKind}` | `done-${ListKind}`;

function entry(say: Say, text: EntryText, count: number): Html {
  return count === 0 ? html`` : html`<li>${say(`lists.${text}`, { count })}</li>`;
}

/** What was not done, and why. */
export function leftOut(
  context: MemberContext,
  failed: readonly ListEntry[],
  unusable: readonly ListEntry[],
  counts: Counts,
): Html {
  const { say } = context;
  return html`${
    failed.length > 0
      ? html`<section class="card">
          <h2>${say("lists.failed-title")}</h2>
          <ul>
            ${failed.map((one) => html`<li>${one.name}: <small>${reason(context, one)}</small></li>`)}
          </ul>
        </section>`
      : ""
  }
  ${
    unusable.length > 0
      ? html`<section class="card">
          <h2>${say("lists.unusable-title")}</h2>
          <p>${say("lists.unusable-lead")}</p>
          <ul>
            ${unusable.map(({ name }) => html`<li><code>${name}</code></li>`)}
          </ul>
          ${counts.unusable > unusable.length ? html`<p>${say("lists.and-more", { count: counts.unusable - unusable.length })}</p>` : ""}
        </section>`
      : ""
  }`;
}

function reason({ language, say }: MemberContext, { name, reason: kept }: ListEntry): string {
  const found = lookFaultIn(kept);
  return found ? lookFaultMessage(say, found, name) : messageOfKept(language.messages, kept);
}
