import { missing } from "../../../errors.ts";
import type { Area } from "../../../http/face.ts";
import { bareName } from "../../../http/reference/answers.ts";
import { fieldsOf } from "../../../http/reference/fields.ts";
import type { Reference } from "../../../http/reference/reference.ts";
import { show } from "../answers.ts";
import { html } from "../html.ts";
import type { Html, PageContext } from "../page.ts";
import { endpointCard } from "./endpoint.ts";
import { fieldList } from "./fields.ts";
import { inlineCode } from "./inline-code.ts";

const crumbs = html`<p class="crumbs"><a href="/api/docs">Programming interfaces</a></p>`;

/** What there is, and how to begin. */
export async function showContents(context: PageContext): Promise<Response> {
  const { baseUrl } = context.hub.config;
  const main = html`<h1>Programming interfaces</h1>
    <p class="lead">
      What programs can ask of this hub, with examples to copy. For programs there is the same as an
      <a href="/api/openapi.json">OpenAPI document</a>.
    </p>
    <section class="card">
      <h2>How to begin</h2>
      <p>Ask who you are, with your nick or e-mail address; the password is that of your account:</p>
      <pre class="code" tabindex="0"><code>curl -u nick '${baseUrl}/api/account/verify_credentials'</code></pre>
      <p>
        Programs for other people sign with OAuth 1.0a in place of a password:
        <a href="/help/programs">how to set one up</a>. Parameters stand in the query, in a form or in a JSON object.
        Every endpoint takes <code>channel</code>, the nick of the channel to act as. Whatever fails is answered with
        its status and the error object of the API. Times are UTC.
      </p>
    </section>
    ${(await context.reference()).map(contentsOf)}`;
  return show(context, { title: "Programming interfaces", main });
}

function contentsOf({ face, areas }: Reference): Html {
  const entry = (address: string, title: string, words: string) =>
    html`<div>
      <dt><a href="${address}">${title}</a></dt>
      <dd>${words}</dd>
    </div>`;
  return html`<section class="card">
    <h2>The ${face.name} API</h2>
    <dl class="meanings">
      ${areas.map((area) =>
        entry(
          `/api/docs/${face.name}/${slugOf(area)}`,
          area.title,
          [...new Set(area.rows.map(({ path }) => path))].join(", "),
        ),
      )}
      ${entry(`/api/docs/${face.name}/answers`, "Answers", "What the endpoints answer, field by field.")}
    </dl>
  </section>`;
}

/** The endpoints that belong together. */
export async function showArea(context: PageContext): Promise<Response> {
  const reference = await named(context);
  const area = reference.areas.find((one) => slugOf(one) === context.params["area"]);
  if (!area) throw missing("Page");
  const main = html`${crumbs}
    <h1>${area.title}</h1>
    <p class="lead">Of the ${reference.face.name} API.</p>
    ${area.rows.map((row) => endpointCard(reference, row, context.hub.config.baseUrl))}`;
  return show(context, { title: area.title, main });
}

/** All that the endpoints of a face answer. */
export async function showAnswers(context: PageContext): Promise<Response> {
  const { face, schemas } = await named(context);
  const answers = Object.entries(schemas).map(([name, schema]) => ({ name: bareName(face, name), schema }));
  const main = html`${crumbs}
    <h1>Answers</h1>
    <p class="lead">Of the ${face.name} API.</p>
    <p>${answers.map(({ name }) => html`<a href="#${name}">${name}</a> `)}</p>
    ${answers.map(({ name, schema }) => {
      const fields = fieldsOf(face, schema);
      return html`<section class="card" id="${name}">
        <h2>${name}</h2>
        ${fields.length > 0 ? fieldList(face, fields) : html`<p>${inlineCode(schema.description ?? "")}</p>`}
      </section>`;
    })}`;
  return show(context, { title: "Answers", main });
}

async function named({ reference, params }: PageContext): Promise<Reference> {
  const found = (await reference()).find(({ face }) => face.name === params["face"]);
  if (!found) throw missing("Page");
  return found;
}

function slugOf({ title }: Area): string {
  return title.toLowerCase().replaceAll(" ", "-");
}
