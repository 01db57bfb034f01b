import { html } from "hono/html";
import type { WikiChange, WikiVersion } from "../../../../domain/pages/wiki-types.ts";
import { wikiHistory, wikiPage } from "../../../../domain/pages/wikis.ts";
import { missing } from "../../../../errors.ts";
import { show } from "../../answers.ts";
import type { Html, Visit } from "../../page.ts";
import { difference } from "../../parts/pages/diff.ts";
import { pager } from "../../parts/pager.ts";
import { personUrl } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";
import { pageOf, wikiHead } from "../../parts/pages/wiki-head.ts";
import type { WikiView } from "../../parts/pages/wiki-head.ts";

const perPage = 50;

/** A page that has been written. Throws missing. */
export async function writtenPage(visit: Visit, view: WikiView, revision?: number): Promise<WikiVersion> {
  const page = await wikiPage(visit.hub, visit.observer, view.wiki, view.name, revision);
  if (!page) throw missing("Page");
  return page;
}

/** The versions of a page, to look at and to compare. */
export async function showHistory(visit: Visit, view: WikiView): Promise<Response> {
  const page = await writtenPage(visit, view);
  const before = visit.query.number("before");
  const query = { count: perPage, ...(before !== undefined && { before }) };
  const { changes, next } = await wikiHistory(visit.hub, visit.observer, view.wiki, page.mid, query);
  const main = html`${wikiHead(view, view.name, "history")}
    <form class="card form-page history" action="${pageOf(view, view.name)}">
      <input type="hidden" name="show" value="compare" />
      <table>
        <caption class="unseen">
          Versions of this page, newest first
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Version</th>
          </tr>
        </thead>
        <tbody>
          ${changes.map((change, index) => historyRow(visit, view, change, index, changes.length))}
        </tbody>
      </table>
      <p class="submit"><button class="button">Compare</button></p>
    </form>
    ${pager(visit, next)}`;
  return show(visit, { title: `History of ${view.name}`, main });
}

function historyRow(visit: Visit, view: WikiView, change: WikiChange, index: number, count: number): Html {
  const { revision } = change;
  const pick = (name: string, chosen: boolean): Html =>
    html`<td>
      <input
        type="radio"
        name="${name}"
        value="${revision}"
        aria-label="${name} version ${revision}"
        ${chosen ? "checked" : ""}
      />
    </td>`;
  return html`<tr>
    ${pick("from", index === Math.min(1, count - 1))} ${pick("to", index === 0)}
    <td>
      <a href="${pageOf(view, view.name)}?revision=${revision}">Version ${revision}</a>
      <span class="meta"
        ><a href="${personUrl(visit, { xchan_url: change.authorUrl })}">${change.author}</a>
        ${time(visit, change.created)}</span
      >
    </td>
  </tr>`;
}

/** What is different between two versions of a page. */
export async function showComparison(visit: Visit, view: WikiView): Promise<Response> {
  const [from, to] = [visit.query.number("from"), visit.query.number("to")];
  if (from === undefined || to === undefined) throw missing("Page");
  const [before, after] = await Promise.all([writtenPage(visit, view, from), writtenPage(visit, view, to)]);
  const main = html`${wikiHead(view, view.name, "history")}
    <section class="card">
      <p>
        From <a href="${pageOf(view, view.name)}?revision=${from}">version ${from}</a> (${time(visit, before.created)})
        to <a href="${pageOf(view, view.name)}?revision=${to}">version ${to}</a> (${time(visit, after.created)})
      </p>
      ${difference(before.body, after.body)}
    </section>`;
  return show(visit, { title: `Changes of ${view.name}`, main });
}
