import { z } from "zod";
import { endpoint } from "../../http/endpoint.ts";
import { flag, optionalFlag } from "./parameters.ts";
import { presentRateLimit, rateLimitElement } from "./present/rate-limit.ts";
import { oneUser, showUser } from "./shown-user.ts";

/** Microblog contract 8.1. */
export const accountRows = [
  endpoint({
    path: "account/verify_credentials",
    methods: "*",
    access: "channel",
    summary: "The caller's own user; every client asks for it first.",
    input: z.object({ skip_status: flag(), include_entities: optionalFlag() }),
    handle: (hub, caller, input, exchange) => showUser(hub, caller, caller.channel.xchan_id, input, exchange),
    ...oneUser,
  }),
  endpoint({
    path: "account/rate_limit_status",
    methods: "*",
    access: "channel",
    uncounted: true,
    summary: "How many requests are left.",
    answer: "rate limit object",
    input: z.object({}),
    handle: (hub, _caller, _input, exchange) => ({ rate: exchange.rate("read"), now: hub.clock() }),
    present: ({ rate, now }) => presentRateLimit(rate, now),
    xml: rateLimitElement,
  }),
];
