import { html } from "hono/html";
import { listDirectory } from "../../../../domain/people/directory.ts";
import { redirect, show } from "../../answers.ts";
import type { Page, PageContext } from "../../page.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { aboutsFor, personRow } from "../../parts/channels/person.ts";
import { shorten } from "../../parts/shorten.ts";

const perPage = 50;

/** The channels of this hub that want to be found. */
export const directoryPages: Page[] = [{ path: "/directory", access: "anybody", get: page }];

async function page(context: PageContext): Promise<Response> {
  if (context.site.blockPublic && !context.member) return redirect(context, "/login?next=/directory");
  const { entries, next } = await listDirectory(context.hub, { ...beforeOf(context), count: perPage });
  const abouts = await aboutsFor(context, entries);
  const rows = entries.map((entry) =>
    personRow(context, entry, {
      about: shorten((abouts.get(entry.xchan_id) ?? "").replace(/\s+/g, " "), 140),
      ...(entry.xchan_pubforum === 1 && { actions: html`<span class="badge calm">Forum</span>` }),
    }),
  );
  const main = html`<h1>Directory</h1>
    <p class="lead">Channels of this hub, the newest first.</p>
    ${
      rows.length > 0
        ? html`<ul class="card people">
            ${rows}
          </ul>`
        : html`<p class="empty">Nobody is listed here yet.</p>`
    }
    ${pager(context, next)}`;
  return show(context, { title: "Directory", main });
}
