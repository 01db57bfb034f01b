import type { Face } from "../../../http/face.ts";
import type { DescribedField } from "../../../http/reference/fields.ts";
import { html } from "../html.ts";
import type { Html } from "../page.ts";
import { inlineCode } from "./inline-code.ts";

/** The fields of an answer, each with its type and what it means. */
export function fieldList(face: Face, fields: readonly DescribedField[]): Html {
  return html`<dl class="meanings">
    ${fields.map(
      ({ name, type, meaning }) =>
        html`<div>
          <dt><code>${name}</code> <small>${linkedType(face, type)}</small></dt>
          <dd>${inlineCode(meaning)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A type in which the names of other answers lead to them; what stands between backticks is a value. */
export function linkedType(face: Face, type: string): Html {
  const pieces = type.split("`");
  return html`${pieces.map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : withLinks(face, piece)))}`;
}

function withLinks(face: Face, words: string): Html {
  const address = `/api/docs/${face.name}/answers`;
  const pieces = words.split(/(\b[A-Z]\w+)/);
  return html`${pieces.map((word, at) => (at % 2 === 1 ? html`<a href="${address}#${word}">${word}</a>` : word))}`;
}
