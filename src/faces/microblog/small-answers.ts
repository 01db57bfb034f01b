import type { Element } from "../../http/xml.ts";

/** The part of a row that answers no more than that it worked. */
export const ok = {
  answer: "Ok",
  xml: (): Element => ({ name: "ok", text: "true" }),
} as const;
