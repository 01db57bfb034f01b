import { diffLines } from "../../../../domain/pages/diff.ts";
import type { DiffLine } from "../../../../domain/pages/diff.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";

/** Lines of the unchanged text that are shown around a change. */
const around = 3;

/** What is different between two texts, line by line. */
export function difference(context: PageContext, before: string, after: string): Html {
  const lines = diffLines(before, after);
  if (lines.every((line) => line.kind === "same")) return html`<p class="empty">${context.say("pages.same")}</p>`;
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some((l) => l.kind !== "same"),
  );
  return html`<div class="diff" role="table" aria-label="${context.say("pages.changes")}">
    ${lines.map((line, at) => (near[at] ? row(context, line) : at === 0 || near[at - 1] ? html`<div class="diff-gap" role="row">⋯</div>` : ""))}
  </div>`;
}

const signs: Record<DiffLine["kind"], string> = { same: " ", added: "+", removed: "−" };

function row({ say }: PageContext, { kind, text }: DiffLine): Html {
  const word = kind === "same" ? "" : `${say(`pages.line-${kind}`)} `;
  return html`<div class="diff-line ${kind}" role="row">
    <span class="diff-sign" aria-hidden="true">${signs[kind]}</span
    ><span role="cell"><span class="unseen">${word}</span>${text}</span>
  </div>`;
}
