import { splitCategories } from "../../../../domain/bodies/tags.ts";
import type { Draft } from "../../../../domain/items/types.ts";
import type { Fields } from "../../fields.ts";
import { interactionOf } from "./interaction.ts";

/** What the form for a new post says, its audience apart. */
export function draftOf(typed: Fields): Draft {
  const categories = splitCategories(typed.text("category"));
  return {
    body: typed.text("body"),
    ...(typed.word("title") !== "" && { title: typed.word("title") }),
    ...(typed.word("summary") !== "" && { summary: typed.word("summary") }),
    ...(typed.has("unlisted") && { unlisted: true }),
    ...interactionOf(typed),
    ...(categories.length > 0 && { categories }),
  };
}
