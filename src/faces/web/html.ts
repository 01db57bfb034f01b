import type { HtmlEscapedString } from "hono/utils/html";

/** A finished piece of HTML: everything that is not one gets escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
