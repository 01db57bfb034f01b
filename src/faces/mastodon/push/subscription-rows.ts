import { z } from "zod";
import {
  changeAlerts,
  findSubscription,
  pushPolicies,
  subscribe,
  unsubscribe,
} from "../../../domain/push/subscriptions.ts";
import type { Alerts, PushPolicy, Subscription } from "../../../domain/push/subscriptions.ts";
import { vapidKeys } from "../../../domain/push/vapid.ts";
import { missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Values } from "../../../http/input.ts";
import { within } from "../../../http/nested.ts";
import type { Hub } from "../../../hub.ts";
import { asText, lastOf } from "../../../http/values.ts";
import { isRecord, recordOf } from "../../../record-of.ts";
import { alertTypes } from "../entities/alert-types.ts";
import type { WebPushSubscription } from "../entities/push.ts";
import { invalid, isYes, objects, text } from "../parameters.ts";

const common = { path: "v1/push/subscription", access: "channel", scope: "push" } as const;

const told = {
  data: objects("`alerts`: which types are told; `policy`: whose (`all`, `followed`, `follower`, `none`)."),
  alerts: objects("The same, outside of `data`."),
  policy: text("The same, outside of `data`."),
};

type Answered = { subscription: Subscription; key: string };

const one = { answer: "WebPushSubscription", present: presentSubscription } as const;

/** Mastodon contract 15: where the application wants to be told of notices. */
export const pushRows = [
  endpoint({
    ...common,
    methods: ["POST"],
    writes: true,
    summary: "Tells this device of notices, in the place of what the token had before.",
    example: {
      "subscription[endpoint]": "https://push.example/abc",
      "subscription[keys][p256dh]":
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      "subscription[keys][auth]": "BTBZMqHH6r4Tts7J_aSIgg",
      "data[alerts][mention]": "true",
    },
    input: z.object({
      subscription: objects("`endpoint`, `keys` with `p256dh` and `auth`, and `standard`."),
      ...told,
    }),
    async handle(hub, { channel }, input, exchange): Promise<Answered> {
      const device = innerOf(input.subscription);
      const keys = innerOf(within(device, "keys"));
      const { alerts, policy = "all" } = toldIn(input);
      const given = {
        endpoint: textIn(device, "endpoint"),
        p256dh: textIn(keys, "p256dh"),
        auth: textIn(keys, "auth"),
        standard: isYes(lastOf(within(device, "standard"))) ?? false,
        alerts: { ...none, ...alerts },
        policy,
      };
      const { id, token } = exchange.bearer!;
      return shown(hub, await subscribe(hub, { token: id }, channel.channel_id, given, token));
    },
    ...one,
  }),
  endpoint({
    ...common,
    methods: ["GET"],
    summary: "What is told to the device; not found where nothing is.",
    input: z.object({}),
    handle: async (hub, _caller, _input, exchange): Promise<Answered> =>
      shown(hub, await findSubscription(hub, holderOf(exchange))),
    ...one,
  }),
  endpoint({
    ...common,
    methods: ["PUT"],
    writes: true,
    summary: "Changes what is told.",
    example: { "data[alerts][favourite]": "true" },
    input: z.object(told),
    handle: async (hub, _caller, input, exchange): Promise<Answered> =>
      shown(hub, await changeAlerts(hub, holderOf(exchange), toldIn(input))),
    ...one,
  }),
  endpoint({
    ...common,
    methods: ["DELETE"],
    writes: true,
    summary: "Tells the device of nothing any more.",
    answer: "Nothing",
    input: z.object({}),
    handle: (hub, _caller, _input, exchange) => unsubscribe(hub, holderOf(exchange)),
    present: () => ({}),
  }),
];

const none: Alerts = recordOf(alertTypes, () => false);

function holderOf({ bearer }: Exchange): { token: number } {
  return { token: bearer!.id };
}

async function shown(hub: Hub, subscription: Subscription | undefined): Promise<Answered> {
  if (!subscription) throw missing("Subscription");
  return { subscription, key: (await vapidKeys(hub)).publicKey };
}

type Inner = Readonly<Record<string, unknown>>;

function innerOf(values: Values): Inner {
  const value = lastOf(values);
  return isRecord(value) ? value : {};
}

function textIn(object: Inner, name: string): string {
  return asText(lastOf(within(object, name))) ?? "";
}

type Told = { data?: Values; alerts?: Values; policy?: string | undefined };

/** What is chosen within `data`, or outside of it; types that nobody knows are dropped. */
function toldIn({ data, alerts: outside, policy: outer }: Told): { alerts: Alerts; policy: PushPolicy | undefined } {
  const inner = innerOf(data);
  const chosen = innerOf(within(inner, "alerts") ?? outside);
  const named = alertTypes.filter((type) => within(chosen, type) !== undefined);
  const word = asText(lastOf(within(inner, "policy"))) ?? outer ?? "";
  const policy = pushPolicies.find((one) => one === word);
  if (word !== "" && !policy) throw invalid("Policy is not included in the list");
  return {
    alerts: Object.fromEntries(named.map((type) => [type, isYes(lastOf(within(chosen, type))) ?? false])),
    policy,
  };
}

/** Mastodon contract 11.31. */
function presentSubscription({ subscription, key }: Answered): z.infer<typeof WebPushSubscription> {
  const { id, endpoint, standard, alerts, policy } = subscription;
  return {
    id,
    endpoint,
    standard: standard === 1,
    alerts: recordOf(alertTypes, (type) => alerts[type] ?? false),
    server_key: key,
    policy,
  };
}
