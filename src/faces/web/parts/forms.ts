import { html } from "hono/html";
import { tokenField } from "../csrf.ts";
import type { Fault } from "../faults.ts";
import { withParameter } from "../local-path.ts";
import type { Html, PageContext } from "../page.ts";

/** The hidden field that every form carries. */
export function token(context: PageContext): Html {
  return html`<input type="hidden" name="${tokenField}" value="${context.formToken}" />`;
}

/** Where an action leads back to. */
export function back(context: PageContext): Html {
  return html`<input type="hidden" name="back" value="${withParameter(context.here, "done", "")}" />`;
}

type Options = {
  label: string;
  name: string;
  value?: string;
  hint?: Html | string;
  fault?: Fault | undefined;
  required?: boolean;
  /** False where nothing is asked for by name, but something is needed: such as words or a picture. */
  optional?: boolean;
  autocomplete?: string;
};

/** A line of text with its label, hint and what is wrong with it. */
export function textField(options: Options & { type?: string; min?: number; max?: number; autofocus?: boolean }): Html {
  const { name, value = "", type = "text", required, autocomplete, min, max, autofocus } = options;
  return labelled(
    options,
    html`<input
      id="f-${name}"
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
export function textArea(options: Options & { rows?: number }): Html {
  const { name, value = "", rows = 4, required } = options;
  return labelled(
    options,
    html`<textarea id="f-${name}" name="${name}" rows="${rows}" ${required ? "required" : ""} ${described(options)}>
${value}</textarea>`,
  );
}

/** Files to send along. */
export function fileField(options: Options & { accept?: string; multiple?: boolean }): Html {
  const { name, accept, multiple, required } = options;
  return labelled(
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
export function choice(options: Options & { choices: readonly (readonly [value: string, label: string])[] }): Html {
  const { name, value, choices } = options;
  return labelled(
    { ...options, required: true },
    html`<select id="f-${name}" name="${name}" ${described(options)}>
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
  return fault ? html`<p class="alert" role="alert" id="fault">${fault.sentence}</p>` : html``;
}

/** A form that is one button. */
export function buttonForm(
  context: PageContext,
  action: string,
  label: Html | string,
  options: { kind?: string; fields?: Record<string, string | number>; title?: string } = {},
): Html {
  const fields = Object.entries(options.fields ?? {});
  return html`<form method="post" action="${action}" class="inline">
    ${token(context)}${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="button ${options.kind ?? ""}" ${attribute("title", options.title)}>${label}</button>
  </form>`;
}

function labelled(options: Options, control: Html): Html {
  const { name, label, hint, fault, required = false, optional = !required } = options;
  const wrong = fault?.field === name;
  return html`<div class="field ${wrong ? "wrong" : ""}">
    <label for="f-${name}">${label}${optional ? html` <span class="optional">optional</span>` : ""}</label>
    ${control} ${hint ? html`<p class="hint" id="h-${name}">${hint}</p>` : ""}
    ${wrong ? html`<p class="field-fault" id="e-${name}">${fault.sentence}</p>` : ""}
  </div>`;
}

function described({ name, hint, fault }: Options): Html {
  const wrong = fault?.field === name;
  const ids = [hint ? `h-${name}` : "", wrong ? `e-${name}` : ""].filter((id) => id !== "").join(" ");
  return html`${wrong ? html`aria-invalid="true"` : ""} ${ids ? html`aria-describedby="${ids}"` : ""}`;
}

function attribute(name: string, value: string | number | undefined): Html {
  return value === undefined ? html`` : html`${name}="${value}"`;
}
