import type { Rate } from "../../../http/exchange.ts";
import type { Element } from "../../../http/xml.ts";
import { twitterDate } from "../present/dates.ts";

/** What servers without limits say, because clients want some number. */
const unlimited = "150";
const hour = 3600;

export type RateLimit = {
  remaining_hits: string;
  hourly_limit: string;
  reset_time: string;
  reset_time_in_seconds: number;
};

/** The rate limits; real figures are scaled to one hour. */
export function presentRateLimit(rate: Rate | undefined, now: Date): RateLimit {
  const resetsAt = rate?.resetsAt ?? new Date(now.getTime() + hour * 1000);
  const hourly = (hits: number, seconds: number): string => String(Math.floor((hits * hour) / seconds));
  return {
    remaining_hits: rate ? hourly(rate.remaining, rate.seconds) : unlimited,
    hourly_limit: rate ? hourly(rate.limit, rate.seconds) : unlimited,
    reset_time: twitterDate(resetsAt.toISOString().replace("T", " ")),
    reset_time_in_seconds: Math.floor(resetsAt.getTime() / 1000),
  };
}

/** The same in XML, where old clients want dashes, types and another form of the date. */
export function rateLimitElement(limit: RateLimit): Element {
  const integer = { type: "integer" };
  const resetsAt = new Date(limit.reset_time_in_seconds * 1000).toISOString().replace(/\.\d+Z$/, "+00:00");
  return {
    name: "hash",
    children: [
      { name: "remaining-hits", attributes: integer, text: limit.remaining_hits },
      { name: "hourly-limit", attributes: integer, text: limit.hourly_limit },
      { name: "reset-time", attributes: { type: "datetime" }, text: resetsAt },
      { name: "reset_time_in_seconds", attributes: integer, text: String(limit.reset_time_in_seconds) },
    ],
  };
}
