import { escapeHtml } from "./escape.ts";

/** What a card shows: HTML, but for times, which are in the stored form or whatever somebody wrote; empty for what is not said. */
export type EventCard = Record<"summary" | "start" | "finish" | "location" | "description", string> & {
  /** `1`: times are in UTC, and shown on the clock of whoever looks; `0`: they are what every clock shows. */
  adjust: string;
};

/** An event as a card. */
export function eventHtml({ summary, start, finish, adjust, location, description }: EventCard): string {
  const days = adjust === "0" && [start, finish].every((time) => /^$| 00:00:00$/.test(time));
  const times = days ? [dayOf(start, 0), finish > start ? dayOf(finish, -1) : ""] : [start, finish];
  const told = [...new Set(times)].filter((time) => time !== "").map((time) => timeOf(time, adjust === "1"));
  const block = (tag: string, html: string): string => (html === "" ? "" : `<${tag}>${html}</${tag}>`);
  const lines = [told.join(" – "), location, description].map((html) => block("div", html));
  return `<div class="event">${block("h4", summary)}${lines.join("")}</div>`;
}

/** From midnight to midnight is a whole day; the last one ends where the next begins. */
function dayOf(time: string, later: number): string {
  const date = new Date(`${time.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return time.slice(0, 10);
  return new Date(date.getTime() + later * 24 * 3600 * 1000).toISOString().slice(0, 10);
}

/** Adjusted times are told in UTC; `personalise` puts them on the clock of the viewer. */
function timeOf(time: string, adjusted: boolean): string {
  const isTime = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?$/.test(time);
  const machine = isTime ? ` datetime="${time.replace(" ", "T")}${adjusted ? "Z" : ""}"` : "";
  return `<time${machine}>${escapeHtml(isTime && adjusted ? `${time.slice(0, 16)} UTC` : time)}</time>`;
}
