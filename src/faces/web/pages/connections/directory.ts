import { howConnected } from "../../../../domain/connections/connections.ts";
import { directoryOrders, listDirectory } from "../../../../domain/people/directory.ts";
import type { DirectoryEntry, DirectoryOrder } from "../../../../domain/people/directory.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { dismissSuggestion } from "../../../../domain/people/suggestions.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { localPath, withParameter } from "../../local-path.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { aboutsFor, personRow } from "../../parts/channels/person.ts";
import { connectButton } from "../../parts/connections/connection-actions.ts";
import { suggestedSection } from "../../parts/connections/suggested.ts";
import { shorten } from "../../parts/shorten.ts";

const perPage = 50;
const suggested = 6;

/** The channels of this hub that want to be found, and for members those with whom they may want to connect. */
export const directoryPages: Page[] = [
  { path: "/directory", access: "anybody", mayBeStale: true, get: page },
  { path: "/directory/dismiss", access: "member", post: dismiss },
];

function orderOf({ query }: PageContext): DirectoryOrder {
  return directoryOrders.find((order) => order === query.word("order")) ?? "newest";
}

async function page(context: PageContext): Promise<Response> {
  const { say } = context;
  if (context.site.blockPublic && !context.member) return redirect(context, "/login?next=/directory");
  const search = context.query.word("search");
  const asked = { search, order: orderOf(context), ...beforeOf(context), count: perPage };
  const { entries, next } = await listDirectory(context.hub, context.observer, asked);
  const rows = await rowsOf(context, entries);
  const main = html`<h1>${say("connections.directory")}</h1>
    <p class="lead">${say("connections.directory-lead")}</p>
    <form class="card search-form" action="/directory" role="search">
      <label for="search-directory">${say("connections.directory-label")}</label>
      <div class="row">
        <input id="search-directory" name="search" type="search" value="${search}" autocapitalize="none" /><button
          class="button primary"
        >
          ${say("connections.look")}
        </button>
      </div>
    </form>
    ${await suggestions(context)} ${orders(context)}
    ${
      rows.length > 0
        ? html`<ul class="card people" aria-label="${say("connections.channels")}">
            ${rows}
          </ul>`
        : nobody(context, search)
    }
    ${pager(context, next, say("connections.more"))}`;
  const preview = () => ({ kind: "website", description: say("connections.directory-preview") }) as const;
  return show(context, { title: say("connections.directory"), main, preview });
}

async function rowsOf(context: PageContext, entries: DirectoryEntry[]): Promise<Html[]> {
  const { hub, member, say } = context;
  const hashes = entries.map((entry) => entry.xchan_hash);
  const [abouts, known] = await Promise.all([
    aboutsFor(context, entries),
    member ? howConnected(hub, member.channel.channel_id, hashes) : undefined,
  ]);
  return entries.map((entry) => {
    const id = `person-${entry.xchan_id}`;
    const list = { back: withParameter(context.here, "done", ""), part: `#${id}` };
    const isOwn = entry.channel_id === member?.channel.channel_id;
    return personRow(context, entry, {
      id,
      about: shorten((abouts.get(entry.xchan_id) ?? "").replace(/\s+/g, " "), 140),
      actions: html`${entry.xchan_pubforum === 1 ? html`<span class="badge calm">${say("connections.forum")}</span>` : ""}
      ${known && !isOwn ? connectButton(context, entry.xchan_hash, known.get(entry.xchan_hash), list) : ""}
      ${isOwn ? html`<span class="hint">${say("connections.that-is-you")}</span>` : ""}`,
    });
  });
}

/** Where nothing is looked for, on the first page. */
async function suggestions(context: PageContext): Promise<Html> {
  const { member, query, say } = context;
  if (!member || query.has("search") || query.has("before")) return html``;
  return suggestedSection(
    { ...context, member },
    { heading: say("connections.may-know"), back: "/directory", count: suggested },
  );
}

function orders(context: PageContext): Html {
  const { say } = context;
  const start = ["before", "done"].reduce((here, name) => withParameter(here, name, ""), context.here);
  return html`<nav class="chips" aria-label="${say("connections.order")}">
    <ul>
      ${directoryOrders.map(
        (order) =>
          html`<li>
            <a
              href="${withParameter(start, "order", order === "newest" ? "" : order)}"
              ${order === orderOf(context) ? html`aria-current="true"` : ""}
              >${say(`connections.order-${order}`)}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function nobody({ member, say }: PageContext, search: string): Html {
  if (search === "") return html`<p class="empty">${say("connections.directory-empty")}</p>`;
  return html`<div class="empty">
    <p>${say("connections.directory-none")}</p>
    ${member ? html`<p><a class="button" href="/connections?find=${encodeURIComponent(search)}">${say("connections.look-elsewhere")}</a></p>` : ""}
  </div>`;
}

async function dismiss(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const person = await findKnown(hub, member.channel.channel_id, { hash: form.text("xchan") });
  if (!person) throw missing("Identity");
  await dismissSuggestion(hub, member.channel, person.xchan_hash);
  return redirect(context, localPath(form.text("back"), "/directory"), "dismissed");
}
