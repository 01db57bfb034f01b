import { tokenField } from "../csrf.ts";
import { sentenceAt } from "../faults.ts";
import type { Fault } from "../faults.ts";
import { html } from "../html.ts";
import { withParameter } from "../local-path.ts";
import type { Html, PageContext } from "../page.ts";

/** The hidden field that every form carries. */
export function token(context: PageContext): Html {
  return html`<input type="hidden" name="${tokenField}" value="${context.formToken}" />`;
}

/**
 * Makes a form be answered in place: of the page (or the part) that it is answered with, the element that `target` chooses
 * takes the place of the one here, `also` those of further ones, and the sentence of what was done is said
 * (assets/acting.js). Without scripts it is a form like any other.
 */
export function inPlace(action: string, target: string, also: readonly string[] = []): Html {
  const others = also.map((one) => `,${one}:outerMorph:${one}`).join("");
  return html`hx-post="${action}" hx-target="${target}" hx-select="${target}"
  hx-select-oob="#done:innerHTML:#said${others}" hx-swap="outerMorph ignoreTitle:true"`;
}

/**
 * The same for a form whose answer brings something new: `part` of it goes where `target` and `way` say, and the form is empty
 * again. While it is on its way it is not sent a second time.
 */
export function addedInPlace(
  action: string,
  { target, part, way }: { target: string; part: string; way: string },
): Html {
  return html`hx-post="${action}" hx-target="${target}" hx-select="${part}" hx-select-oob="#done:innerHTML:#said"
  hx-swap="${way} ignoreTitle:true" hx-sync="this:drop" data-emptied`;
}

/** Where an action leads back to. */
export function back(context: PageContext): Html {
  return html`<input type="hidden" name="back" value="${withParameter(context.here, "done", "")}" />`;
}

type Options = {
  label: string;
  name: string;
  value?: string;
  hint?: Html | string | undefined;
  fault?: Fault | undefined;
  required?: boolean;
  /** False where nothing is asked for by name, but something is needed: such as words or a picture. */
  optional?: boolean;
  autocomplete?: string;
  /** Tells it apart from others of its name on the page. */
  id?: string | undefined;
};

/** A line of text with its label, hint and what is wrong with it. */
export function textField(
  context: PageContext,
  options: Options & { type?: string; min?: number; max?: number; autofocus?: boolean },
): Html {
  const { name, value = "", type = "text", required, autocomplete, min, max, autofocus } = options;
  return labelled(
    context,
    options,
    html`<input
      id="f-${keyOf(options)}"
      name="${name}"
      type="${type}"
      value="${type === "password" ? "" : value}"
      ${required ? "required" : ""}
      ${autofocus ? "autofocus" : ""}
      ${attribute("autocomplete", autocomplete)}
      ${attribute("min", min)}
      ${attribute("max", max)}
      ${name === "nick" || name === "login" || type === "email" ? html`autocapitalize="none" spellcheck="false"` : ""}
      ${described(options)}
    />`,
  );
}

/** Several lines of text. */
export function textArea(context: PageContext, options: Options & { rows?: number }): Html {
  const { name, value = "", rows = 4, required } = options;
  return labelled(
    context,
    options,
    html`<textarea id="f-${name}" name="${name}" rows="${rows}" ${required ? "required" : ""} ${described(options)}>
${value}</textarea>`,
  );
}

/** Files to send along. */
export function fileField(context: PageContext, options: Options & { accept?: string; multiple?: boolean }): Html {
  const { name, accept, multiple, required } = options;
  return labelled(
    context,
    options,
    html`<input
      id="f-${name}"
      name="${name}"
      type="file"
      ${attribute("accept", accept)}
      ${multiple ? "multiple" : ""}
      ${required ? "required" : ""}
      ${described(options)}
    />`,
  );
}

/** One of several values. */
export function choice(
  context: PageContext,
  options: Options & { choices: readonly (readonly [value: string, label: string])[] },
): Html {
  const { name, value, choices } = options;
  return labelled(
    context,
    { ...options, required: true },
    html`<select id="f-${keyOf(options)}" name="${name}" ${described(options)}>
      ${choices.map(([key, label]) => html`<option value="${key}" ${key === value ? "selected" : ""}>${label}</option>`)}
    </select>`,
  );
}

/** A box to tick. */
export function box(options: {
  label: Html | string;
  name: string;
  value?: string;
  checked: boolean;
  hint?: string;
}): Html {
  const { label, name, value = "1", checked, hint } = options;
  return html`<label class="box">
    <input type="checkbox" name="${name}" value="${value}" ${checked ? "checked" : ""} />
    <span><span class="box-label">${label}</span>${hint ? html` <small>${hint}</small>` : ""}</span>
  </label>`;
}

/** Several values with a sentence each, one of which is chosen. */
export function radios(options: {
  legend: string;
  name: string;
  value: string;
  choices: readonly (readonly [value: string, label: string, hint: string])[];
}): Html {
  const { legend, name, value, choices } = options;
  return html`<fieldset class="radios">
    <legend>${legend}</legend>
    ${choices.map(
      ([key, label, hint]) =>
        html`<label class="box">
          <input type="radio" name="${name}" value="${key}" ${key === value ? "checked" : ""} />
          <span><span class="box-label">${label}</span> <small>${hint}</small></span>
        </label>`,
    )}
  </fieldset>`;
}

/** What is wrong with the form as a whole; read out at once. */
export function alert(fault: Fault | undefined): Html {
  if (!fault) return html``;
  const sentences = [fault, ...(fault.also ?? [])].map(({ sentence }) => sentence);
  return html`<p class="alert" role="alert" id="fault">${sentences.join(" ")}</p>`;
}

/** Of a form with files: how far it is on its way. */
export function uploadProgress({ say }: PageContext): Html {
  return html`<hub-upload
    data-sending="${say("forms.sending", { percent: "%" })}"
    data-storing="${say("forms.storing")}"
    data-broken="${say("forms.broken")}"
  >
    <progress class="upload-progress" max="100" value="0" hidden>0 %</progress>
    <p class="upload-words" role="status" hidden></p>
  </hub-upload>`;
}

/** A form that is one button. */
export function buttonForm(
  context: PageContext,
  action: string,
  label: Html | string,
  options: { kind?: string; fields?: Record<string, string | number>; title?: string; part?: string } = {},
): Html {
  const fields = Object.entries(options.fields ?? {});
  return html`<form
    method="post"
    action="${action}"
    class="inline"
    ${options.part ? inPlace(action, options.part) : ""}
  >
    ${token(context)}${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="button ${options.kind ?? ""}" ${attribute("title", options.title)}>${label}</button>
  </form>`;
}

function labelled({ say }: PageContext, options: Options, control: Html): Html {
  const { name, label, hint, fault, required = false, optional = !required } = options;
  const wrong = sentenceAt(fault, name);
  const key = keyOf(options);
  return html`<div class="field ${wrong === undefined ? "" : "wrong"}">
    <label for="f-${key}"
      >${label}${optional ? html` <span class="optional">${say("forms.optional")}</span>` : ""}</label
    >
    ${control} ${hint ? html`<p class="hint" id="h-${key}">${hint}</p>` : ""}
    ${wrong === undefined ? "" : html`<p class="field-fault" id="e-${key}">${wrong}</p>`}
  </div>`;
}

/** What the elements of a field are named by. */
function keyOf({ name, id }: Pick<Options, "name" | "id">): string {
  return id === undefined ? name : `${name}-${id}`;
}

function described({ name, id, hint, fault }: Options): Html {
  const wrong = sentenceAt(fault, name) !== undefined;
  const key = keyOf({ name, id });
  const ids = [hint ? `h-${key}` : "", wrong ? `e-${key}` : ""].filter((id) => id !== "").join(" ");
  return html`${wrong ? html`aria-invalid="true"` : ""} ${ids ? html`aria-describedby="${ids}"` : ""}`;
}

function attribute(name: string, value: string | number | undefined): Html {
  return value === undefined ? html`` : html`${name}="${value}"`;
}
