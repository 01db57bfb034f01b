import type { Connection } from "../../../../domain/connections/connections.ts";
import { html } from "../../html.ts";
import { withParameter } from "../../local-path.ts";
import type { Html, PageContext } from "../../page.ts";
import { buttonForm, inPlace, token } from "../forms.ts";
import { icon } from "../icons.ts";

/** What connects the member with somebody; undefined where nothing does. */
export type Known =
  | Pick<
      Connection,
      | "abook_id"
      | "abook_pending"
      | "abook_blocked"
      | "abook_ignored"
      | "abook_unconnected"
      | "follow_out"
      | "follow_in"
    >
  | undefined;

/** Somebody who reads the member without being read. */
export function readsOnly(known: NonNullable<Known>): boolean {
  return known.follow_out === "none" && known.follow_in === "accepted";
}

/** Where the button leads back to, and the part of that page that takes the place of the one here. */
export type InList = { back: string; part: string };

/** In a part of the page that is looked at. */
export function onPage(context: PageContext, part: string): InList {
  return { back: withParameter(context.here, "done", ""), part };
}

/** The button that connects, or what has become of it. */
export function connectButton(context: PageContext, hash: string, known: Known, list?: InList): Html {
  const { say } = context;
  if (!known || isOnlyMuted(known)) return followButton(context, hash, say("connections.connect"), list);
  if (known.abook_blocked === 1) {
    const page = known.abook_unconnected === 1 ? "/connections/blocked" : `/connedit/${known.abook_id}`;
    return html`<a class="button" href="${page}">${say("connections.is-blocked")}</a>`;
  }
  if (known.abook_pending === 1) {
    return html`<a class="button primary" href="/connections/ifpending">${say("connections.answer-request")}</a>`;
  }
  const words = known.follow_out === "requested" ? say("connections.request-sent") : say("connections.connected");
  return html`${readsOnly(known) ? readButton(context, hash, list) : ""}<a
      class="button"
      href="/connedit/${known.abook_id}"
      >${icon("check")} ${words}</a
    >`;
}

function isOnlyMuted({ abook_unconnected, abook_blocked }: NonNullable<Known>): boolean {
  return abook_unconnected === 1 && abook_blocked === 0;
}

/** Begins again to read somebody who still reads the member. */
export function readButton(context: PageContext, hash: string, list?: InList): Html {
  const { say } = context;
  return followButton(context, hash, say("connections.start-reading"), list);
}

function followButton(context: PageContext, hash: string, label: string, list: InList | undefined): Html {
  const fields = { xchan: hash, ...(list && { back: list.back }) };
  return buttonForm(context, "/follow", label, { kind: "primary", fields, ...(list && { part: list.part }) });
}

/** Where one is asked before somebody is blocked. */
export function blockPath(hash: string): string {
  return `/connections/block?xchan=${encodeURIComponent(hash)}`;
}

/** Rarer and graver things stand behind one more step; `host` is where somebody of elsewhere lives. */
export function connectionMenu(
  context: PageContext,
  hash: string,
  known: Known,
  { host, place }: { host?: string; place: InList },
): Html {
  const { say } = context;
  if (known?.abook_blocked === 1) return html``;
  return html`<details class="menu">
    <summary class="button" aria-label="${say("connections.more-actions")}">${icon("dots")}</summary>
    <div class="menu-sheet">
      ${stopReading(context, hash, known, { kind: "act", place })} ${dropReader(context, hash, known, place)}
      ${host === undefined ? mute(context, hash, known, place) : ""} ${blocking(context, hash, place)}
      ${host === undefined ? "" : html`<a class="act" href="/connections/hosts?host=${encodeURIComponent(host)}">${icon("shield")} ${say("connections.block-all-of", { host })}</a>`}
      <a class="act" href="/report?xchan=${encodeURIComponent(hash)}">${icon("flag")} ${say("connections.report")}</a>
    </div>
  </details>`;
}

/** A form that is one button, about somebody; in `place` where it belongs to a part of the page. */
function actForm(
  context: PageContext,
  hash: string,
  { action, words, kind = "act", place }: { action: string; words: Html; kind?: string; place?: InList | undefined },
): Html {
  return html`<form class="inline" method="post" action="${action}" ${place ? inPlace(action, place.part) : ""}>
    ${token(context)}${place ? html`<input type="hidden" name="back" value="${place.back}" />` : ""}
    <input type="hidden" name="xchan" value="${hash}" />
    <button class="${kind}">${words}</button>
  </form>`;
}

/** Of whom one is muted nothing reaches the stream; they are not told. */
function mute(context: PageContext, hash: string, known: Known, place: InList): Html {
  const { say } = context;
  if (known?.abook_pending === 1) return html``;
  const muted = known?.abook_ignored === 1;
  const words = html`${icon("bell")} ${muted ? say("connections.unmute") : say("connections.mute")}`;
  return actForm(context, hash, { action: `/connections/${muted ? "unmute" : "mute"}`, words, place });
}

/** Says first what it means. */
function blocking(context: PageContext, hash: string, place: InList): Html {
  const { say } = context;
  const words = html`${say("connections.hosts-block")}`;
  return html`<details class="graver">
    <summary class="act">${icon("shield")} ${say("connections.block")}</summary>
    <p>${say("connections.block-means")}</p>
    ${actForm(context, hash, { action: "/connections/block", words, kind: "button danger", place })}
  </details>`;
}

/** Has somebody who reads the member read no more; who reads them goes on. */
function dropReader(context: PageContext, hash: string, known: Known, place: InList): Html {
  const { say } = context;
  if (known?.follow_in !== "accepted" || known.abook_pending === 1) return html``;
  const words = html`${icon("cross")} ${say("connections.stop-them")}`;
  return actForm(context, hash, { action: "/connections/drop-reader", words, place });
}

/**
 * Ends reading somebody who goes on reading the member, or takes a request back: both can be done anew. Where nothing
 * would be left of the connection, removing it asks first. `place` is where it leads back to, if not to all connections.
 */
export function stopReading(
  context: PageContext,
  hash: string,
  known: Known,
  { kind, place }: { kind: string; place?: InList },
): Html {
  const { say } = context;
  if (!known || known.abook_pending === 1 || known.abook_blocked === 1) return html``;
  const asked = known.follow_out === "requested";
  if (!asked && (known.follow_out !== "accepted" || known.follow_in !== "accepted")) return html``;
  const words = html`${icon("cross")} ${asked ? say("connections.take-request-back") : say("connections.stop-reading")}`;
  return actForm(context, hash, { action: "/unfollow", words, kind, place });
}
