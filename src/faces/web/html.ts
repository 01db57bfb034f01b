import { html as joined } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export { raw } from "hono/html";

/** A finished piece of HTML: everything that is not one gets escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const unindented = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** A template of HTML. Of what separates its own lines only the break goes out, which means the same to browsers. */
export function html(written: TemplateStringsArray, ...values: unknown[]): Html {
  let fixed = unindented.get(written);
  if (!fixed) unindented.set(written, (fixed = withoutIndentation(written)));
  return joined(fixed, ...values);
}

function withoutIndentation(written: TemplateStringsArray): TemplateStringsArray {
  const parts = written.map((part) => part.replace(/\s*\n\s*/g, "\n"));
  return Object.assign(parts, { raw: parts });
}
