import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import { loadAccountDetails } from "../../../domain/people/account-details.ts";
import { loadUsers } from "../../../domain/people/users.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { pageLinks } from "../paging.ts";
import type { Edges } from "../paging.ts";
import { presentAccount } from "../present/account.ts";
import type { AccountObject, Accounts } from "../present/account.ts";

/** People on their way to the presenter, in their order. */
export type AccountAnswers = Accounts & { ids: readonly number[]; edges?: Edges | undefined };

/** Loads what accounts are shown with. */
export async function showAccounts(
  hub: Hub,
  { observer }: Pick<Anybody, "observer">,
  ids: readonly number[],
  edges?: Edges,
): Promise<AccountAnswers> {
  const [users, details] = await Promise.all([loadUsers(hub, observer, [...ids]), loadAccountDetails(hub, ids)]);
  return { users, details, baseUrl: hub.config.baseUrl, ids, edges };
}

/** The part of a row that answers one account. */
export const oneAccount = {
  answer: "Account",
  present(shown: AccountAnswers): AccountObject {
    const [id] = shown.ids;
    if (id === undefined || !shown.users.has(id)) throw missing("Identity");
    return presentAccount(shown, id);
  },
} as const;

/** The part of a row that answers several, a page of a list or all. */
export const manyAccounts = {
  answer: "Account[]",
  present: (shown: AccountAnswers): AccountObject[] =>
    shown.ids.filter((id) => shown.users.has(id)).map((id) => presentAccount(shown, id)),
  headers: ({ edges }: AccountAnswers, exchange: Exchange): Record<string, string> => pageLinks(edges, exchange),
} as const;
