import type { KeyPage } from "../../../domain/connections/connections.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Element } from "../../../http/xml.ts";
import { cursorFields, cursorLinks } from "../statuses/cursors.ts";
import type { Cursor } from "../statuses/cursors.ts";
import { presentUsers, showUsers } from "./user-answers.ts";
import type { UserAnswers, WantedOfUsers } from "./user-answers.ts";
import { rootElement } from "../xml.ts";

/** Lists that clients read with cursors or, the older ones, without (microblog contract 2.5). */

/** A page of a list, with cursors or in the plain form; `input` is what was asked, for the links to its neighbours. */
type Paged = { page: KeyPage; cursored: boolean; input: Record<string, unknown> };

export type IdAnswers = Paged & { asText: boolean };

export type UserPageAnswer = Paged & { shown: UserAnswers };

/** Nobody: the lists of other people (microblog contract 8.7). */
export const emptyPage: KeyPage = { keys: [], next: 0, previous: 0, total: 0 };

/** Is the answer one with cursors? With the parameter, and below `1.1`. */
export function isCursored(cursor: Cursor, { version11 }: Exchange): boolean {
  return cursor.given || version11;
}

/** Loads the people of a page. */
export async function showPage(
  hub: Hub,
  caller: Caller,
  { page, cursored, input }: Paged,
  wanted: WantedOfUsers,
  exchange: Exchange,
): Promise<UserPageAnswer> {
  return { page, cursored, input, shown: await showUsers(hub, caller, page.keys, wanted, exchange) };
}

/** The part of a row that answers ids: a bare array, or an object with cursors. */
export const manyIds = {
  answer: "UserIds | UserIdPage",
  present({ page, cursored, asText }: IdAnswers) {
    const ids = asText ? page.keys.map(String) : page.keys;
    return cursored ? { ids, ...cursorFields(page) } : ids;
  },
  headers: linksOf,
  xml: (presented: object): Element =>
    Array.isArray(presented) ? rootElement("ids", presented) : rootElement("id_list", withoutTexts(presented)),
} as const;

/** The part of a row that answers people with cursors, or those that ask without a bare array. */
export const userPage = {
  answer: "UserPage | User[]",
  async present({ page, cursored, shown }: UserPageAnswer) {
    const users = await presentUsers(shown);
    return cursored ? { users, ...cursorFields(page) } : users;
  },
  headers: linksOf,
  xml: (presented: object): Element =>
    Array.isArray(presented) ? rootElement("users", presented) : rootElement("users_list", withoutTexts(presented)),
} as const;

function linksOf({ page, cursored, input }: Paged, exchange: Exchange): Record<string, string> {
  return cursored ? cursorLinks(page, exchange, input) : {};
}

/** In XML everything is text, so the cursors are there once (microblog contract 10.2). */
export function withoutTexts(presented: object): object {
  return { ...presented, next_cursor_str: undefined, previous_cursor_str: undefined };
}
