import { escapeHtml } from "../escape.ts";
import type { Context } from "./context.ts";
import { textOf } from "./tree.ts";
import type { BbElement, BbNode } from "./tree.ts";

/** Whether an element is one of the tags that together describe an event. */
export function isEventTag(node: BbNode | undefined): node is BbElement {
  return node?.kind === "element" && node.tag.name.startsWith("event-");
}

/** One card from the event tags of a body; id and time zone adjustment are not shown (native contract 5.3). */
export function eventCard(elements: BbElement[], context: Context): string {
  const rendered = (name: string): string => {
    const found = elements.find((element) => element.tag.name === name);
    return found === undefined ? "" : context.render(found.children, context);
  };
  const block = (tag: string, html: string): string => (html === "" ? "" : `<${tag}>${html}</${tag}>`);
  const times = ["event-start", "event-finish"].map((name) => timeOf(elements, name));
  return `<div class="event">${[
    block("h4", rendered("event-summary")),
    block("div", times.filter((time) => time !== "").join(" – ")),
    block("div", rendered("event-location")),
    block("div", rendered("event-description")),
  ].join("")}</div>`;
}

function timeOf(elements: BbElement[], name: string): string {
  const found = elements.find((element) => element.tag.name === name);
  const time = found === undefined ? "" : textOf(found.children).trim();
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?$/.test(time);
  const machine = isTime ? ` datetime="${time.replace(" ", "T")}"` : "";
  return time === "" ? "" : `<time${machine}>${escapeHtml(time)}</time>`;
}
