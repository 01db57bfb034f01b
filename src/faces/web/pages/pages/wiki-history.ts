import type { WikiChange, WikiVersion } from "../../../../domain/pages/wiki-types.ts";
import { wikiHistory, wikiPage } from "../../../../domain/pages/wikis.ts";
import { missing } from "../../../../errors.ts";
import { show, unindexed } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, PageContext } from "../../page.ts";
import { difference } from "../../parts/pages/diff.ts";
import { pager } from "../../parts/pager.ts";
import { personUrl } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";
import { pageOf, wikiHead } from "../../parts/pages/wiki-head.ts";
import type { WikiView } from "../../parts/pages/wiki-head.ts";

const perPage = 50;

/** A page that has been written. Throws missing. */
export async function writtenPage(context: PageContext, view: WikiView, revision?: number): Promise<WikiVersion> {
  const page = await wikiPage(context.hub, context.observer, view.wiki, view.name, revision);
  if (!page) throw missing("Page");
  return page;
}

/** The versions of a page, to look at and to compare. */
export async function showHistory(context: PageContext, view: WikiView): Promise<Response> {
  const { say } = context;
  const page = await writtenPage(context, view);
  const before = context.query.number("before");
  const query = { count: perPage, ...(before !== undefined && { before }) };
  const { changes, next } = await wikiHistory(context.hub, context.observer, view.wiki, page.mid, query);
  const main = html`${wikiHead(context, view, view.name, "history")}
    <form class="card form-page history" action="${pageOf(view, view.name)}">
      <input type="hidden" name="show" value="compare" />
      <table>
        <caption class="unseen">
          ${say("pages.versions-caption")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${say("pages.from")}</th>
            <th scope="col">${say("pages.to")}</th>
            <th scope="col">${say("pages.version")}</th>
          </tr>
        </thead>
        <tbody>
          ${changes.map((change, index) => historyRow(context, view, change, index, changes.length))}
        </tbody>
      </table>
      <p class="submit"><button class="button">${say("pages.compare")}</button></p>
    </form>
    ${pager(context, next)}`;
  return show(context, { title: say("pages.history-title", { name: view.name }), main, headers: unindexed });
}

function historyRow(context: PageContext, view: WikiView, change: WikiChange, index: number, count: number): Html {
  const { say } = context;
  const { revision } = change;
  const pick = (name: "from" | "to", chosen: boolean): Html =>
    html`<td>
      <input
        type="radio"
        name="${name}"
        value="${revision}"
        aria-label="${say(`pages.${name}-version`, { number: String(revision) })}"
        ${chosen ? "checked" : ""}
      />
    </td>`;
  return html`<tr>
    ${pick("from", index === Math.min(1, count - 1))} ${pick("to", index === 0)}
    <td>
      <a href="${pageOf(view, view.name)}?revision=${revision}"
        >${say("pages.version-number", { number: String(revision) })}</a
      >
      <span class="meta"
        ><a href="${personUrl(context, { xchan_url: change.authorUrl })}">${change.author}</a>
        ${time(context, change.created)}</span
      >
    </td>
  </tr>`;
}

/** What is different between two versions of a page. */
export async function showComparison(context: PageContext, view: WikiView): Promise<Response> {
  const [from, to] = [context.query.number("from"), context.query.number("to")];
  if (from === undefined || to === undefined) throw missing("Page");
  const [before, after] = await Promise.all([writtenPage(context, view, from), writtenPage(context, view, to)]);
  const main = html`${wikiHead(context, view, view.name, "history")}
    <section class="card">
      <p>
        ${context.say.html("pages.compared", {
          first: String(from),
          from: linkTo(`${pageOf(view, view.name)}?revision=${from}`),
          firstWhen: time(context, before.created),
          second: String(to),
          to: linkTo(`${pageOf(view, view.name)}?revision=${to}`),
          secondWhen: time(context, after.created),
        })}
      </p>
      ${difference(context, before.body, after.body)}
    </section>`;
  return show(context, { title: context.say("pages.changes-title", { name: view.name }), main, headers: unindexed });
}
