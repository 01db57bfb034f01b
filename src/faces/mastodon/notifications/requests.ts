import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findRequest, listRequests } from "../../../domain/items/timelines/notice-requests.ts";
import type { NoticeRequest } from "../../../domain/items/timelines/notice-requests.ts";
import { pageOfTold } from "../../../domain/items/timelines/told.ts";
import { acceptRequests, dismissRequests } from "../../../domain/notifications/filtered.ts";
import { missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Hub } from "../../../hub.ts";
import { showAccounts } from "../accounts/account-answers.ts";
import type { NotificationRequest } from "../entities/notification.ts";
import { id, ids } from "../parameters.ts";
import { edgesOf, pageInput, pageLinks } from "../paging.ts";
import type { Edges } from "../paging.ts";
import { presentAccount } from "../present/account.ts";
import type { Accounts } from "../present/account.ts";
import { datetime } from "../present/dates.ts";
import { statusOf } from "../present/notification.ts";
import type { Notices } from "../present/notification.ts";
import { showNotices } from "./notice-answers.ts";
import { toldWindow } from "./notifications.ts";

/** Requests with whom they are from, and their newest notices. */
type Requests = { requests: readonly NoticeRequest[]; people: Accounts; newest: Notices; edges?: Edges | undefined };

/** So many are let in or dismissed at once. */
const mostNamed = 80;

const writing = {
  methods: ["POST"],
  access: "channel",
  scope: "write:notifications",
  writes: true,
  answer: "Nothing",
  present: () => ({}),
} as const;

const requestId = z.object({ id: id("Id of the request.") });

/** Mastodon contract 11.16: what the policy keeps apart, a request of each person. */
export const requestRows = [
  endpoint({
    path: "v1/notifications/requests",
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "Of whom notices are kept apart, the newest first.",
    answer: "NotificationRequest[]",
    input: z.object(pageInput(40)),
    async handle(hub, caller, input): Promise<Requests> {
      const requests = await listRequests(hub, caller.channel.channel_id, toldWindow(input));
      const edges = edgesOf(
        requests.map((request) => request.id),
        requests.length >= input.limit,
      );
      return { ...(await showRequests(hub, caller, requests)), edges };
    },
    present: (shown) => shown.requests.map((request) => presentRequest(shown, request)),
    headers: ({ edges }: Requests, exchange: Exchange) => pageLinks(edges, exchange),
  }),
  endpoint({
    path: "v1/notifications/requests/merged",
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "Whether those that were let in are among the others: they are at once.",
    answer: "MergedRequests",
    input: z.object({}),
    handle: () => ({ merged: true }),
  }),
  deedOnAll("accept", "Lets people be heard, and their notices in.", acceptRequests),
  deedOnAll("dismiss", "Removes what is kept apart of people.", dismissRequests),
  endpoint({
    path: "v1/notifications/requests/:id",
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "One request.",
    answer: "NotificationRequest",
    example: { id: "17" },
    input: requestId,
    async handle(hub, caller, input): Promise<Requests> {
      const shown = await showRequests(hub, caller, [await findRequest(hub, caller.channel.channel_id, input.id)]);
      if (shown.requests.length === 0) throw missing("Notice");
      return shown;
    },
    present: (shown) => presentRequest(shown, shown.requests[0]!),
  }),
  deedOnOne("accept", "Lets the person be heard, and their notices in.", acceptRequests),
  deedOnOne("dismiss", "Removes what is kept apart of the person.", dismissRequests),
];

type Deed = (hub: Hub, uid: number, ids: readonly number[]) => Promise<number>;

function deedOnAll(name: string, summary: string, deed: Deed): Endpoint {
  return endpoint({
    ...writing,
    path: `v1/notifications/requests/${name}`,
    summary,
    input: z.object({ id: ids("Ids of the requests, at most 80; those of none are left out.", mostNamed) }),
    handle: async (hub, { channel }, input) => void (await deed(hub, channel.channel_id, input.id)),
  });
}

function deedOnOne(name: string, summary: string, deed: Deed): Endpoint {
  return endpoint({
    ...writing,
    path: `v1/notifications/requests/:id/${name}`,
    summary,
    example: { id: "17" },
    input: requestId,
    async handle(hub, { channel }, input) {
      if ((await deed(hub, channel.channel_id, [input.id])) === 0) throw missing("Notice");
    },
  });
}

async function showRequests(hub: Hub, caller: Caller, requests: readonly NoticeRequest[]): Promise<Requests> {
  const ids = requests.map(({ newest }) => newest);
  const told =
    ids.length === 0 ? [] : await pageOfTold(hub, caller.channel, { count: ids.length }, { ids, filtered: true });
  const [newest, people] = await Promise.all([
    showNotices(hub, caller, told),
    showAccounts(
      hub,
      caller,
      requests.map(({ actor }) => actor),
    ),
  ]);
  return { requests: requests.filter(({ actor }) => people.users.has(actor)), people, newest };
}

function presentRequest({ people, newest }: Requests, request: NoticeRequest): z.infer<typeof NotificationRequest> {
  const told = newest.told.find(({ id }) => id === request.newest);
  const status = told && statusOf(newest, told);
  return {
    id: String(request.id),
    created_at: datetime(request.created),
    updated_at: datetime(request.updated),
    account: presentAccount(people, request.actor),
    notifications_count: String(request.count),
    ...(status && { last_status: status }),
  };
}
