import { eventHtml } from "../event-html.ts";
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
  return eventHtml({
    summary: rendered("event-summary"),
    start: read(elements, "event-start"),
    finish: read(elements, "event-finish"),
    adjust: read(elements, "event-adjust"),
    location: rendered("event-location"),
    description: rendered("event-description"),
  });
}

function read(elements: BbElement[], name: string): string {
  const found = elements.find((element) => element.tag.name === name);
  return found === undefined ? "" : textOf(found.children).trim();
}
