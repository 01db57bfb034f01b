import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { delayTo, findDelayed, pageOfDelayed } from "../../../domain/items/posting/delayed.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { sourceOf } from "../../../domain/items/source-text.ts";
import type { Item } from "../../../domain/items/types.ts";
import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { date, id, invalid } from "../parameters.ts";
import { edgesOf, pageInput, pageLinks, windowOf } from "../paging.ts";
import type { Edges } from "../paging.ts";
import { presentScheduled } from "../present/scheduled.ts";
import type { Waiting } from "../present/scheduled.ts";
import { showStatuses } from "./status-answers.ts";

const waitingId = z.object({ id: id("Id of the post that waits.") });

/** Mastodon contract 11.12 and 12.5: posts that wait for their date. */
export const scheduledRows = [
  endpoint({
    path: "v1/scheduled_statuses",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "What the caller has written to be published later.",
    answer: "ScheduledStatus[]",
    input: z.object(pageInput(20)),
    async handle(hub, caller, input, exchange) {
      const items = await pageOfDelayed(hub, caller.channel, windowOf(input));
      const keys = items.map((item) => item.id);
      const shown = await showWaiting(hub, caller, items, exchange);
      return { shown, edges: edgesOf(keys, items.length >= input.limit) };
    },
    present: ({ shown }: Page) => shown.items.map((item) => presentScheduled(shown, item)),
    headers: ({ edges }: Page, exchange) => pageLinks(edges, exchange),
  }),
  endpoint({
    path: "v1/scheduled_statuses/:id",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "One of them.",
    example: { id: "812" },
    input: waitingId,
    handle: async (hub, caller, input, exchange) =>
      showWaiting(hub, caller, [await findDelayed(hub, caller.channel, input.id)], exchange),
    ...oneWaiting(),
  }),
  endpoint({
    path: "v1/scheduled_statuses/:id",
    methods: ["PUT"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Gives it another date.",
    example: { id: "812", scheduled_at: "2030-01-01T12:00:00Z" },
    input: waitingId.extend({ scheduled_at: date("When to publish it, with its zone.") }),
    async handle(hub, caller, input, exchange) {
      const found = await findDelayed(hub, caller.channel, input.id);
      const item =
        input.scheduled_at === undefined
          ? found
          : await delayTo(hub, caller.channel, input.id, dateToCome(hub, input.scheduled_at));
      return showWaiting(hub, caller, [item], exchange);
    },
    ...oneWaiting(),
  }),
  endpoint({
    path: "v1/scheduled_statuses/:id",
    methods: ["DELETE"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Deletes it before anybody has seen it.",
    answer: "Nothing",
    example: { id: "812" },
    input: waitingId,
    async handle(hub, caller, input) {
      const { id } = await findDelayed(hub, caller.channel, input.id);
      await deleteItem(hub, caller.channel, { id });
      return {};
    },
  }),
];

type Page = { shown: Waiting; edges: Edges | undefined };

function oneWaiting() {
  return {
    answer: "ScheduledStatus",
    present: (shown: Waiting) => presentScheduled(shown, shown.items[0]!),
  } as const;
}

/** Loads what posts that wait are shown with. */
export async function showWaiting(
  hub: Hub,
  caller: Caller,
  items: readonly Item[],
  { bearer }: Pick<Exchange, "bearer">,
): Promise<Waiting> {
  const [sheet, sources] = await Promise.all([
    showStatuses(hub, caller, [...items]),
    Promise.all(items.map(async (item) => [item.id, (await sourceOf(hub, item)).text] as const)),
  ]);
  return { items, sheet, texts: new Map(sources), applicationId: bearer?.application.id ?? 0 };
}

const soonest = 5 * 60 * 1000;
const latest = 5 * 366 * 24 * 3600 * 1000;

/** A date at which a post may be published (mastodon contract 13.3). Throws invalid. */
export function dateToCome(hub: Hub, moment: string): string {
  if (moment < momentIn(hub, soonest)) throw invalid("Scheduled at The scheduled date must be in the future");
  if (moment > momentIn(hub, latest)) throw invalid("Scheduled at The scheduled date is too far in the future");
  return moment;
}
