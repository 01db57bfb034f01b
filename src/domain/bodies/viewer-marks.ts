import { randomUUID } from "node:crypto";
import { escapeHtml } from "./escape.ts";

/*
 * Content that depends on the viewer passes the HTML filter as two made-up elements, so that the filter keeps them
 * balanced, and becomes comments afterwards. The filter drops comments and unsealed elements, so nobody can write either.
 */

let secret: string | undefined;

/** The word that shows the filter that a viewer element was written by the renderer of this process. */
export function viewerSeal(): string {
  secret ??= randomUUID();
  return secret;
}

const known = /^(?:name|address|url|baseurl|webname|photo|(?:observer|channel)=[01]|language!?=[a-z-]{1,20})$/;

/** Whether this is a condition or a piece of viewer data that `personalise` understands. */
export function isViewerMark(what: string): boolean {
  return known.test(what);
}

/** Stands for a piece of the viewer's data until `personalise`. */
export function viewerData(what: string): string {
  return `<viewer-data seal="${viewerSeal()}" what="${escapeHtml(what)}"></viewer-data>`;
}

/** Content shown only to viewers for whom the condition holds. */
export function viewerCondition(condition: string, html: string): string {
  return `<viewer-if seal="${viewerSeal()}" what="${escapeHtml(condition)}">${html}</viewer-if>`;
}

/** Turns filtered viewer elements into inert comments, the form they are stored in. */
export function sealViewerMarks(html: string): string {
  if (!html.includes("<viewer-")) return html;
  return html
    .replace(/<viewer-data what="([^"<>]*)"><\/viewer-data>/g, "<!--viewer $1-->")
    .replace(/<viewer-if what="([^"<>]*)">/g, "<!--viewer if $1-->")
    .replaceAll("</viewer-if>", "<!--viewer end-->")
    .replace(/<\/?viewer-[^<>]*>/g, "");
}
