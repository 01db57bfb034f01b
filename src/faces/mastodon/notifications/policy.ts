import { z } from "zod";
import { countFiltered } from "../../../domain/items/timelines/notice-requests.ts";
import { changePolicy, policyRules, readPolicy } from "../../../domain/notifications/policy.ts";
import type { NoticePolicy, PolicyCase, PolicyRule } from "../../../domain/notifications/policy.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import type { NotificationPolicy, NotificationPolicyV1 } from "../entities/notification.ts";
import { invalid, optionalFlag, text } from "../parameters.ts";

type Answered = { policy: NoticePolicy; waiting: { people: number; notices: number } };

const common = { access: "channel" } as const;
const v2 = {
  ...common,
  path: "v2/notifications/policy",
  answer: "NotificationPolicy",
  present: presentPolicy,
} as const;
const v1 = {
  ...common,
  path: "v1/notifications/policy",
  answer: "NotificationPolicyV1",
  present: presentPolicyV1,
} as const;
const reading = { methods: ["GET"], scope: "read:notifications", summary: "Whose notices are kept apart." } as const;
const writing = {
  methods: ["PATCH", "PUT"],
  scope: "write:notifications",
  writes: true,
  summary: "Changes whose notices are kept apart; what is left out stays as it is.",
} as const;

const rule = (who: string) => text(`What becomes of notices from ${who}: \`accept\`, \`filter\` or \`drop\`.`);
const apart = (who: string) => optionalFlag(`Notices from ${who} are kept apart.`);

const [notFollowing, notFollowers] = ["people whom the caller does not follow", "people who do not follow the caller"];
const [newAccounts, privateMentions] = ["people who are new to the hub", "strangers who write privately, unasked"];

/** Mastodon contract 11.16: whose notices are told, by what these people are to the caller. */
export const policyRows = [
  endpoint({ ...v2, ...reading, input: z.object({}), handle: (hub, { channel }) => answered(hub, channel.channel_id) }),
  endpoint({
    ...v2,
    ...writing,
    example: { for_not_following: "filter" },
    input: z.object({
      for_not_following: rule(notFollowing),
      for_not_followers: rule(notFollowers),
      for_new_accounts: rule(newAccounts),
      for_private_mentions: rule(privateMentions),
      for_limited_accounts: rule("people whom the hub limits"),
      for_bots: rule("programs"),
    }),
    handle: (hub, { channel }, input) =>
      answered(hub, channel.channel_id, {
        "not-following": ruleIn("For not following", input.for_not_following),
        "not-followers": ruleIn("For not followers", input.for_not_followers),
        "new-accounts": ruleIn("For new accounts", input.for_new_accounts),
        "private-mentions": ruleIn("For private mentions", input.for_private_mentions),
        "limited-accounts": ruleIn("For limited accounts", input.for_limited_accounts),
        bots: ruleIn("For bots", input.for_bots),
      }),
  }),
  endpoint({ ...v1, ...reading, input: z.object({}), handle: (hub, { channel }) => answered(hub, channel.channel_id) }),
  endpoint({
    ...v1,
    ...writing,
    example: { filter_not_following: "true" },
    input: z.object({
      filter_not_following: apart(notFollowing),
      filter_not_followers: apart(notFollowers),
      filter_new_accounts: apart(newAccounts),
      filter_private_mentions: apart(privateMentions),
    }),
    handle: (hub, { channel }, input) =>
      answered(hub, channel.channel_id, {
        "not-following": ruleOf(input.filter_not_following),
        "not-followers": ruleOf(input.filter_not_followers),
        "new-accounts": ruleOf(input.filter_new_accounts),
        "private-mentions": ruleOf(input.filter_private_mentions),
      }),
  }),
];

type Changes = { readonly [Name in PolicyCase]?: PolicyRule | undefined };

async function answered(hub: Hub, uid: number, changes: Changes = {}): Promise<Answered> {
  const named = Object.entries(changes).filter(([, one]) => one !== undefined);
  const policy =
    named.length > 0 ? await changePolicy(hub, uid, Object.fromEntries(named)) : await readPolicy(hub, uid);
  return { policy, waiting: await countFiltered(hub, uid) };
}

/** It decides who is heard, so a word that nobody knows is refused. */
function ruleIn(name: string, word: string | undefined): PolicyRule | undefined {
  const known = policyRules.find((one) => one === word);
  if (!known && word !== undefined && word !== "") throw invalid(`${name} is not included in the list`);
  return known;
}

function ruleOf(isApart: boolean | undefined): PolicyRule | undefined {
  if (isApart === undefined) return undefined;
  return isApart ? "filter" : "accept";
}

function presentPolicy({ policy, waiting }: Answered): z.infer<typeof NotificationPolicy> {
  return {
    for_not_following: policy["not-following"],
    for_not_followers: policy["not-followers"],
    for_new_accounts: policy["new-accounts"],
    for_private_mentions: policy["private-mentions"],
    for_limited_accounts: policy["limited-accounts"],
    for_bots: policy.bots,
    summary: summaryOf(waiting),
  };
}

function presentPolicyV1({ policy, waiting }: Answered): z.infer<typeof NotificationPolicyV1> {
  return {
    filter_not_following: policy["not-following"] !== "accept",
    filter_not_followers: policy["not-followers"] !== "accept",
    filter_new_accounts: policy["new-accounts"] !== "accept",
    filter_private_mentions: policy["private-mentions"] !== "accept",
    summary: summaryOf(waiting),
  };
}

function summaryOf({ people, notices }: Answered["waiting"]) {
  return { pending_requests_count: people, pending_notifications_count: notices };
}
