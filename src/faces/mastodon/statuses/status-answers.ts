import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import { loadStatusDetails } from "../../../domain/items/timelines/status-details.ts";
import { assembleStatuses } from "../../../domain/items/timelines/statuses.ts";
import { loadAccountDetails } from "../../../domain/people/account-details.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { inTurns } from "../../../http/in-turns.ts";
import { edgesOf, pageLinks } from "../paging.ts";
import type { Edges } from "../paging.ts";
import { presentStatus } from "../present/status.ts";
import type { Sheet } from "../present/sheet.ts";
import type { StatusObject } from "../present/status.ts";

/** Statuses on their way to the presenter. */
export type StatusAnswers = Sheet & { edges?: Edges | undefined };

/** Loads what statuses are shown with; `named` are ids by which the caller has named messages. */
export async function showStatuses(
  hub: Hub,
  { observer }: Pick<Anybody, "observer">,
  items: StatusItem[],
  named: ReadonlyMap<number, number> = new Map(),
): Promise<StatusAnswers> {
  const page = await assembleStatuses(hub, observer, items, { terms: true, media: true });
  const all = [...items, ...page.originals.values()];
  const [details, accounts] = await Promise.all([
    loadStatusDetails(
      hub,
      observer,
      all.map(({ id }) => id),
    ),
    loadAccountDetails(hub, [...page.users.keys()]),
  ]);
  return {
    page,
    details,
    named,
    accounts: { users: page.users, details: accounts, baseUrl: hub.config.baseUrl },
    me: observer.channelId > 0 ? observer.xchanId : undefined,
    hub,
  };
}

/** The same for a page of a list of which so many were asked for. */
export async function showPage(
  hub: Hub,
  anybody: Pick<Anybody, "observer">,
  items: StatusItem[],
  asked: number,
): Promise<StatusAnswers> {
  const ids = items.map(({ id }) => id);
  return { ...(await showStatuses(hub, anybody, items)), edges: edgesOf(ids, items.length >= asked) };
}

/** The part of a row that answers one status. */
export const oneStatus = {
  answer: "Status",
  present(sheet: StatusAnswers): StatusObject {
    const [item] = sheet.page.items;
    if (!item) throw missing("Status");
    return presentStatus(sheet, item);
  },
} as const;

/** The part of a row that answers several, a page of a list or all. */
export const manyStatuses = {
  answer: "Status[]",
  present: (sheet: StatusAnswers): Promise<StatusObject[]> =>
    inTurns(sheet.page.items, (item) => presentStatus(sheet, item)),
  headers: ({ edges }: StatusAnswers, exchange: Exchange): Record<string, string> => pageLinks(edges, exchange),
} as const;
