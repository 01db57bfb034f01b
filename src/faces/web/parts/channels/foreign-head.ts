import { html } from "../../html.ts";
import { linkAway } from "../../languages/say.ts";
import { findConnectionTo } from "../../../../domain/connections/connections.ts";
import type { Connection } from "../../../../domain/connections/connections.ts";
import type { ForeignPerson } from "../../../../domain/people/foreign-person.ts";
import { scales } from "../../../../domain/photos/scales.ts";
import type { Html, PageContext } from "../../page.ts";
import { blockPath, connectButton, connectionMenu, onPage } from "../connections/connection-actions.ts";
import { buttonForm } from "../forms.ts";
import { icon } from "../icons.ts";
import { body } from "../items/body.ts";
import { time } from "../times.ts";
import { nameOf } from "./name.ts";
import { avatar } from "./person.ts";

/** Somebody of another hub: who they say they are, and what connects the visitor with them. */
export async function foreignHead(context: PageContext, person: ForeignPerson): Promise<Html> {
  const { xchan, cover, absent } = person;
  return html`<header class="card channel-head foreign-head">
    ${cover ? html`<img class="cover" src="${cover}" width="${scales.coverLarge.width}" height="${scales.coverLarge.height}" alt="" />` : ""}
    ${avatar(context, xchan.xchan_photo_l, "large")}
    <div class="channel-words">
      <h1>${nameOf(context, xchan)}</h1>
      <p class="address">${xchan.xchan_addr}</p>
      ${state(context, person)} ${absent ? "" : countsOf(context, person)} ${absent ? "" : original(context, person)}
      ${absent ? "" : belongs(context, person)}
    </div>
    <div class="channel-actions" id="channel-actions">
      ${context.member ? await ways(context, person) : logIn(context)}
    </div>
    ${absent ? "" : aboutOf(context, person)}
  </header>`;
}

/** Where the page about them is at home. */
function original({ say }: PageContext, { xchan, host }: ForeignPerson): Html {
  return html`<p><a href="${xchan.xchan_url}" rel="nofollow noopener">${say("channels.page-on", { host })}</a></p>`;
}

/** Programs say so themselves, and nobody has checked it. */
function belongs({ say }: PageContext, { belongsTo, host }: ForeignPerson): Html {
  if (belongsTo === "") return html``;
  return html`<p>${say.html("channels.belongs-to", { host, address: belongsTo, owner: linkAway(belongsTo) })}</p>`;
}

function state(context: PageContext, { absent, moved, host, xchan }: ForeignPerson): Html {
  const { say } = context;
  if (absent === "gone") return html`<p class="alert">${say("channels.gone", { name: xchan.xchan_name, host })}</p>`;
  if (absent === "suspended") return html`<p class="alert">${say("channels.nothing-to-do", { host })}</p>`;
  if (!moved) return html``;
  const link =
    moved.xchan_id !== undefined && context.member
      ? html`<a href="/person/${moved.xchan_id}">${say("channels.new-place")}</a>`
      : html`<a href="${moved.to}" rel="nofollow noopener">${moved.to}</a>`;
  return html`<p class="alert">${say.html("channels.has-moved", { name: xchan.xchan_name, place: link })}</p>`;
}

/** Nobody can check these numbers. */
function countsOf({ say }: PageContext, { counts, host }: ForeignPerson): Html {
  const { posts, followers, following } = counts;
  const said = [
    posts === undefined ? "" : say("channels.count-posts", { count: posts }),
    followers === undefined ? "" : say("channels.count-followers", { count: followers }),
    following === undefined ? "" : say("channels.count-follows", { count: following }),
  ].filter((part) => part !== "");
  return said.length === 0
    ? html``
    : html`<p class="counts">${say("channels.counts-says", { counts: said.join(" · "), host })}</p>`;
}

function aboutOf(context: PageContext, { xchan, fields }: ForeignPerson): Html {
  if (xchan.xchan_about === "" && fields.length === 0) return html``;
  return html`<div class="foreign-about">
    ${xchan.xchan_about === "" ? "" : html`<div class="prose">${xchan.xchan_about}</div>`}
    ${
      fields.length === 0
        ? ""
        : html`<dl class="facts">
            ${fields.map(
              ({ name, value, verified }) =>
                html`<div>
                  <dt>${name}</dt>
                  <dd class="body">${body(context, value)} ${verified ? verifiedMark(context, verified) : ""}</dd>
                </div>`,
            )}
          </dl>`
    }
  </div>`;
}

function verifiedMark(context: PageContext, since: string): Html {
  return html`<span class="meta">${context.say.html("channels.links-back", { when: time(context, since) })}</span>`;
}

function logIn(context: PageContext): Html {
  const { say } = context;
  return html`<a class="button primary" href="/login?next=${encodeURIComponent(context.path)}"
    >${say("channels.connect")}</a
  >`;
}

async function ways(context: PageContext, { xchan, absent, host }: ForeignPerson): Promise<Html> {
  const { say } = context;
  const hash = xchan.xchan_hash;
  const known = await findConnectionTo(context.hub, context.member!.channel.channel_id, hash);
  if (absent) {
    const edit = known && known.abook_unconnected === 0;
    return html`${edit ? html`<a class="button" href="/connedit/${known.abook_id}/remove">${say("channels.remove-connection")}</a>` : ""}
    ${known?.abook_blocked === 1 ? "" : html`<a class="button" href="${blockPath(hash)}">${icon("shield")} ${say("channels.block")}</a>`}`;
  }
  const blocked = known?.abook_blocked === 1;
  const place = onPage(context, "#channel-actions");
  return html`${blocked ? "" : html`<a class="button" href="/mail/new?to=${encodeURIComponent(hash)}">${icon("letter")} ${say("channels.message")}</a>`}
  ${connectButton(context, hash, known, place)} ${mute(context, xchan.xchan_id, known)}
  ${connectionMenu(context, hash, known, { host, place })}`;
}

/** Of whom one is muted nothing reaches the stream; they are not told. */
function mute(context: PageContext, id: number, known: Connection | undefined): Html {
  const { say } = context;
  if (known?.abook_blocked === 1 || known?.abook_pending === 1) return html``;
  const muted = known?.abook_ignored === 1;
  return buttonForm(context, `/person/${id}/mute`, muted ? say("channels.unmute") : say("channels.mute"), {
    fields: { mute: muted ? "" : "1" },
    part: "#channel-actions",
  });
}
