import { z } from "zod";
import { missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import { id } from "../parameters.ts";

const summary = { pending_requests_count: 0, pending_notifications_count: 0 };

/** Mastodon contract 11.16: the hub holds no notices back, so there is nothing to choose and nothing that waits. */
export const policyRows = [
  ...policy("v2/notifications/policy", "NotificationPolicy", {
    for_not_following: "accept",
    for_not_followers: "accept",
    for_new_accounts: "accept",
    for_private_mentions: "accept",
    for_limited_accounts: "accept",
    for_bots: "accept",
    summary,
  }),
  ...policy("v1/notifications/policy", "NotificationPolicyV1", {
    filter_not_following: false,
    filter_not_followers: false,
    filter_new_accounts: false,
    filter_private_mentions: false,
    summary,
  }),
  endpoint({
    path: "v1/notifications/requests",
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "Notices that are held back: none.",
    answer: "Nobody",
    input: z.object({}),
    handle: () => [],
  }),
  endpoint({
    path: "v1/notifications/requests/merged",
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "Whether those that were let in are among the others.",
    answer: "MergedRequests",
    input: z.object({}),
    handle: () => ({ merged: true }),
  }),
  answerAll("accept", "Lets notices in that are held back: there are none."),
  answerAll("dismiss", "Removes notices that are held back: there are none."),
  oneRequest("", "GET", "read:notifications"),
  oneRequest("/accept", "POST", "write:notifications"),
  oneRequest("/dismiss", "POST", "write:notifications"),
];

function policy(path: string, answer: string, all: object): Endpoint[] {
  const common = { path, access: "channel", answer, input: z.object({}), handle: () => all } as const;
  return [
    endpoint({
      ...common,
      methods: ["GET"],
      scope: "read:notifications",
      summary: "Whose notices are held back: nobody's.",
    }),
    endpoint({
      ...common,
      methods: ["PATCH", "PUT"],
      scope: "write:notifications",
      writes: true,
      summary: "Answers the same: nothing of it can be chosen.",
    }),
  ];
}

function answerAll(name: string, summary: string): Endpoint {
  return endpoint({
    path: `v1/notifications/requests/${name}`,
    methods: ["POST"],
    access: "channel",
    scope: "write:notifications",
    writes: true,
    summary,
    answer: "Nothing",
    input: z.object({}),
    handle: () => ({}),
  });
}

function oneRequest(name: string, method: "GET" | "POST", scope: string): Endpoint {
  return endpoint({
    path: `v1/notifications/requests/:id${name}`,
    methods: [method],
    access: "channel",
    scope,
    summary: "There is none: not found.",
    answer: "Nothing",
    input: z.object({ id: id("Id of the person.") }),
    handle() {
      throw missing("Notice");
    },
  });
}
