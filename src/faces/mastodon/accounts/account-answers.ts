import type { Observer } from "../../../domain/identity/channels/observer.ts";
import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import { loadAccounts } from "../../../domain/people/account-details.ts";
import type { KnownPeople } from "../../../domain/people/account-details.ts";
import { loadSuccessors } from "../../../domain/people/successors.ts";
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
  return { ...(await withSuccessors(hub, observer, await loadAccounts(hub, observer, ids))), ids, edges };
}

/** These people together with those as whom they go on. */
export async function withSuccessors(
  hub: Hub,
  observer: Observer,
  { users, accounts: details }: KnownPeople,
): Promise<Accounts> {
  const { baseUrl } = hub.config;
  const successors = await loadSuccessors(hub, details);
  const presented: Accounts["presented"] = new Map();
  if (successors.size === 0) return { users, details, successors, baseUrl, presented };
  const further = [...new Set(successors.values())].filter((id) => !users.has(id) || !details.has(id));
  const more = await loadAccounts(hub, observer, further);
  return {
    users: new Map([...users, ...more.users]),
    details: new Map([...details, ...more.accounts]),
    successors,
    baseUrl,
    presented,
  };
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
