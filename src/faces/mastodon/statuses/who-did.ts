import { z } from "zod";
import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import { findShown } from "../../../domain/items/find.ts";
import { originalSeen, pageOfReshares } from "../../../domain/items/posting/reshares.ts";
import { likersOf } from "../../../domain/items/timelines/likes.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import type { KeyPage } from "../../../domain/connections/connections.ts";
import { manyAccounts, showAccounts } from "../accounts/account-answers.ts";
import type { AccountAnswers } from "../accounts/account-answers.ts";
import { edgesOf, pageInput, windowOf } from "../paging.ts";
import { seeing } from "../seeing.ts";
import { statusId } from "./named-status.ts";

const input = z.object({ ...statusId.shape, ...pageInput(40) });

/** Who has shared and liked a post (mastodon contract 12.5); pages go by the ids of shares and likes. */
export const whoDidRows = [
  endpoint({
    path: "v1/statuses/:id/reblogged_by",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "Who has shared a post, as far as the caller may see the shares.",
    example: { id: "812" },
    input,
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const shares = await pageOfReshares(hub, anybody.observer, { id: input.id }, windowOf(input));
      return showPeople(hub, anybody, shares);
    },
    ...manyAccounts,
  }),
  endpoint({
    path: "v1/statuses/:id/favourited_by",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "Who likes a post.",
    example: { id: "812" },
    input,
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const { observer } = anybody;
      const item = await originalSeen(hub, observer, await findShown(hub, observer, { id: input.id }));
      return showPeople(hub, anybody, await likersOf(hub, observer, item, windowOf(input)));
    },
    ...manyAccounts,
  }),
];

type Found = { page: KeyPage; authors: ReadonlyMap<number, number> };

function showPeople(hub: Hub, anybody: Anybody, { page, authors }: Found): Promise<AccountAnswers> {
  const people = page.keys.flatMap((key) => authors.get(key) ?? []);
  return showAccounts(hub, anybody, people, edgesOf(page.keys, page.next > 0));
}
