import { escapeHtml } from "../escape.ts";
import type { Context } from "./context.ts";
import { textOf } from "./tree.ts";
import type { BbElement, BbNode } from "./tree.ts";

/** Whether an element is one of the tags that together describe an event. */
export function isEventTag(node: BbNode | undefined): node is BbElement {
  return node?.kind === "element" && node.tag.name.startsWith("event-");
}

/** One card from the event tags of a body; the id is not shown. */
export function eventCard(elements: BbElement[], context: Context): string {
  const rendered = (name: string): string => {
    const found = elements.find((element) => element.tag.name === name);
    return found === undefined ? "" : context.render(found.children, context);
  };
  const block = (tag: string, html: string): string => (html === "" ? "" : `<${tag}>${html}</${tag}>`);
  const start = read(elements, "event-start");
  const finish = read(elements, "event-finish");
  const days = read(elements, "event-adjust") === "0" && [start, finish].every((time) => /^$| 00:00:00$/.test(time));
  const times = days ? [dayOf(start, 0), finish > start ? dayOf(finish, -1) : ""] : [start, finish];
  const adjusted = read(elements, "event-adjust") === "1";
  return `<div class="event">${[
    block("h4", rendered("event-summary")),
    block(
      "div",
      [...new Set(times)]
        .filter((time) => time !== "")
        .map((time) => timeOf(time, adjusted))
        .join(" – "),
    ),
    block("div", rendered("event-location")),
    block("div", rendered("event-description")),
  ].join("")}</div>`;
}

function read(elements: BbElement[], name: string): string {
  const found = elements.find((element) => element.tag.name === name);
  return found === undefined ? "" : textOf(found.children).trim();
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
