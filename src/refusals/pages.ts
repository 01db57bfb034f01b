import { row } from "./row.ts";

/** Web pages, menus and wikis. */
export const pagesRefusals = {
  page_name_taken: row("conflict"),
  menu_name_needed: row("invalid", "name"),
  menu_name_taken: row("conflict", "name"),
  wiki_name_taken: row("conflict", "name"),
  wiki_name_wrong: row("invalid"),
  changed_meanwhile: row("conflict", "body"),
  home_keeps_name: row("denied", "name"),
  home_stays: row("denied", "name"),
};
