import type { Endpoint, Method } from "../../../http/endpoint.ts";
import type { Face } from "../../../http/face.ts";
import { accessTo, shownMethods } from "../../../http/reference/access.ts";
import { answerSchema } from "../../../http/reference/answers.ts";
import { curlOf } from "../../../http/reference/curl.ts";
import { exampleOf } from "../../../http/reference/examples.ts";
import { failuresOf, meanings } from "../../../http/reference/failures.ts";
import { describeParameters, fileMeaning, inBraces, typeOf } from "../../../http/reference/parameters.ts";
import type { Reference } from "../../../http/reference/reference.ts";
import { html } from "../html.ts";
import type { Html } from "../page.ts";
import { linkedType } from "./fields.ts";
import { inlineCode } from "./inline-code.ts";

/** One endpoint: how it is called, what it takes, what it answers. */
export function endpointCard(reference: Reference, row: Endpoint, baseUrl: string): Html {
  const { face } = reference;
  const { path, alias } = face.paths(row)[0]!;
  const methods = shownMethods(row, alias);
  const [method = "GET"] = methods;
  return html`<section class="card" id="${method}-${row.path}">
    <h2>${methods.join(", ")} ${row.path}</h2>
    <p>${inlineCode(row.summary)}</p>
    <p>
      <code>${inBraces(path)}</code>${row.pathId ? html` or <code>${inBraces(path)}/{${row.pathId}}</code>` : ""} ·
      ${accessTo(row)}${row.permission ? html` · an application needs <code>${row.permission}</code>` : ""}
    </p>
    <pre class="code" tabindex="0"><code>${curlOf(row, path, method, baseUrl)}</code></pre>
    ${parameterList(face, row)}
    <h3>Answer</h3>
    <p>${linkedType(face, row.answer.replaceAll(" | ", " or ").replace(/(\w+)\[\]/g, "list of $1"))}</p>
    ${example(reference, row)} ${failureList(face, row, method)}
  </section>`;
}

function parameterList(face: Face, row: Endpoint): Html {
  const parameters = describeParameters(row, face);
  const files = (row.files ?? []).filter((name) => !parameters.some((one) => one.name === name));
  if (parameters.length + files.length === 0) return html``;
  const entry = (names: readonly string[], type: string, meaning: string) =>
    html`<div>
      <dt>${names.map((name) => html`<code>${name}</code> `)}<small>${inlineCode(type)}</small></dt>
      <dd>${inlineCode(meaning)}</dd>
    </div>`;
  return html`<h3>Parameters</h3>
    <dl class="meanings">
      ${parameters.map(({ name, otherNames, schema, meaning, required }) =>
        entry([name, ...otherNames], `${typeOf(schema)}${required ? ", needed" : ""}`, meaning),
      )}
      ${files.map((name) => entry([name], "file", fileMeaning))}
    </dl>`;
}

function example({ face, schemas }: Reference, row: Endpoint): Html {
  const value = exampleOf(answerSchema(face, row.answer), schemas);
  const text = row.ownForm ? row.ownForm.write(value) : JSON.stringify(value, undefined, 2);
  return html`<details>
    <summary>Example</summary>
    <pre class="code" tabindex="0"><code>${text}</code></pre>
  </details>`;
}

function failureList(face: Face, row: Endpoint, method: Method): Html {
  return html`<details>
    <summary>What can go wrong</summary>
    <dl class="meanings">
      ${[...failuresOf(face, row, method)].map(
        ([status, words]) =>
          html`<div>
            <dt>${status}</dt>
            <dd>${inlineCode(words.join(" · ") || (meanings[status] ?? ""))}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
