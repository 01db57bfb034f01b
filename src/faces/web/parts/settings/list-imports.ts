import { html } from "hono/html";
import { lookFaultIn } from "../../../../domain/import/lists/carry-out.ts";
import type { EntryState, ListEntry, ListImport } from "../../../../domain/import/lists/lists.ts";
import type { ListKind } from "../../../../domain/import/lists/read-list.ts";
import { storedMoment } from "../../../../http/dates.ts";
import { messageOfKept } from "../../../../refusals/messages.ts";
import { lookFaultMessage } from "../../look-up.ts";
import type { Html, MemberContext } from "../../page.ts";

/** What a page says of a list that somebody has brought along. */

export const kindNames: Readonly<Record<ListKind, string>> = {
  follow: "People to follow",
  block: "People to block",
  mute: "People to mute",
  hosts: "Servers to block",
};

type Counts = Readonly<Record<EntryState, number>>;

const there: Readonly<Record<ListKind, string>> = {
  follow: "you follow already",
  block: "you have blocked already",
  mute: "you have muted already",
  hosts: "you have blocked already",
};

const done: Readonly<Record<ListKind, string>> = {
  follow: "have been asked",
  block: "are blocked",
  mute: "are muted",
  hosts: "are blocked",
};

const consequences: Readonly<Record<ListKind, string>> = {
  follow:
    "They are asked as if you followed each of them by hand, at most 400 in a day. Whom this hub does not know is looked up at their server first, at most 30 in ten minutes.",
  block: "Nobody is told. Whom this hub does not know is looked up at their server first, at most 30 in ten minutes.",
  mute: "Nobody is told. Only people whom you are connected with can be muted.",
  hosts: "Nothing from these servers reaches you any more, and people there who followed you do so no more.",
};

/** What there is in it, before anything happens. */
export function openings(kind: ListKind, counts: Counts): Html {
  return html`<ul>
      ${entry(counts.waiting, "to be done")} ${entry(counts.there, there[kind])}
      ${entry(counts.unusable, "cannot be used")}
    </ul>
    ${counts.waiting > 0 ? html`<p class="hint">${consequences[kind]}</p>` : ""}`;
}

/** How far it has come. */
export function standing(context: MemberContext, { kind, state, goesOn }: ListImport, counts: Counts): Html {
  const settled = counts.done + counts.there + counts.failed;
  const total = settled + counts.waiting;
  return html`<p role="status">${`${settled} of ${total} are settled. ${ending(context, state, goesOn)}`}</p>
    <progress class="upload-progress" max="${Math.max(1, total)}" value="${settled}">${settled} of ${total}</progress>
    <ul>
      ${entry(counts.done, done[kind])} ${entry(counts.there, there[kind])} ${entry(counts.failed, "could not be done")}
      ${entry(counts.waiting, state === "running" ? "waiting" : "were not begun")}
      ${entry(counts.unusable, "cannot be used")}
    </ul>
    ${state === "running" ? html`<p class="hint">You can close this page; it goes on without you.</p>` : ""}`;
}

function ending({ now }: MemberContext, state: ListImport["state"], goesOn: string): string {
  if (state === "stopped") return "It was stopped.";
  if (state === "done") return "It is done.";
  const minutes = Math.ceil((storedMoment(goesOn).getTime() - now.getTime()) / 60_000);
  if (minutes <= 1) return "It is under way.";
  const wait = minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  return `It goes on in ${wait}: other servers are not asked all at once, and those that do not answer are asked again later.`;
}

function entry(count: number, words: string): Html {
  return count === 0 ? html`` : html`<li>${count} ${words}</li>`;
}

/** What was not done, and why. */
export function leftOut(
  context: MemberContext,
  failed: readonly ListEntry[],
  unusable: readonly ListEntry[],
  counts: Counts,
): Html {
  return html`${
    failed.length > 0
      ? html`<section class="card">
          <h2>Could not be done</h2>
          <ul>
            ${failed.map((one) => html`<li>${one.name}: <small>${reason(context, one)}</small></li>`)}
          </ul>
        </section>`
      : ""
  }
  ${
    unusable.length > 0
      ? html`<section class="card">
          <h2>Cannot be used</h2>
          <p>These lines name nobody and nothing that fits the list.</p>
          <ul>
            ${unusable.map(({ name }) => html`<li><code>${name}</code></li>`)}
          </ul>
          ${counts.unusable > unusable.length ? html`<p>And ${counts.unusable - unusable.length} more.</p>` : ""}
        </section>`
      : ""
  }`;
}

function reason({ language, say }: MemberContext, { name, reason: kept }: ListEntry): string {
  const found = lookFaultIn(kept);
  return found ? lookFaultMessage(say, found, name) : messageOfKept(language.messages, kept);
}
