import { row } from "./row.ts";

/** Texts and what may be in them. */
export const textsRefusals = {
  footnotes_too_many: row("invalid", "body"),
  tags_too_many: row<{ most: number; kind: string }>("invalid", "body"),
  text_grows_too_long: row("invalid", "body"),
  text_takes_too_long: row("invalid", "body"),
  no_content: row("invalid", "body"),
  text_too_long: row("too-large"),
  forbidden_content_type: row("denied"),
  content_type_unknown: row("invalid", "mimetype"),
  attachments_too_many: row<{ most: number }>("invalid", "body"),
  categories_too_many: row<{ most: number }>("invalid", "category"),
};
