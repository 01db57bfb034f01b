import type { pagesRefusals } from "../../refusals/pages.ts";
import type { Messages } from "../../refusals/messages.ts";

export const pagesWords: Messages<typeof pagesRefusals> = {
  page_name_taken: "There is a page of that name already.",
  menu_name_needed: "A menu needs a name.",
  menu_name_taken: "There is a menu of that name already.",
  wiki_name_taken: "There is a wiki of that name already.",
  wiki_name_wrong: "A name cannot hold a slash, or be one or two dots.",
  changed_meanwhile: "Somebody else has saved this page since you opened it.",
  home_keeps_name: "The page Home keeps its name.",
  home_stays: "The page Home cannot be deleted.",
};
