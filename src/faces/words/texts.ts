import type { textsRefusals } from "../../refusals/texts.ts";
import type { Messages } from "../../refusals/messages.ts";

export const textsWords: Messages<typeof textsRefusals> = {
  footnotes_too_many: "This text has too many footnotes.",
  tags_too_many: ({ most, kind }) => `A post can have at most ${most} ${kind}.`,
  text_grows_too_long: "This text becomes far too long when it is laid out.",
  text_takes_too_long: "It takes too long to lay out this text. A simpler or shorter one will do.",
  no_content: "Write something first.",
  text_too_long: "The text is too long.",
  forbidden_content_type: "Texts of this type are not taken here.",
  content_type_unknown: "Unknown content type.",
  attachments_too_many: ({ most }) => `A post can have at most ${most} attachments.`,
  categories_too_many: ({ most }) => `A post can have at most ${most} categories.`,
};
