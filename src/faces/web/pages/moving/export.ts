import { exportArchive } from "../../../../domain/export/archive.ts";
import { exportChannel } from "../../../../domain/export/export-channel.ts";
import { exportExtent, exportPeriod } from "../../../../domain/export/items-page.ts";
import { missing } from "../../../../errors.ts";
import { readDate, storedDate, storedMoment } from "../../../../http/dates.ts";
import { download, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, token } from "../../parts/forms.ts";
import { dayIn, dayWords } from "../../parts/times.ts";

/** Everything of a channel to take away. What holds the key is asked for with the password. */
export const exportPages: Page[] = [
  { path: "/uexport", access: "member", get: (context) => page(context) },
  {
    path: "/uexport/:what{basic|complete|archive}",
    access: "member",
    whileMoved: true,
    get: (context) => page(context),
    post: send,
  },
  { path: "/uexport/:year{\\d\\d\\d\\d}", access: "member", get: sendPeriod },
  { path: "/uexport/:year{\\d\\d\\d\\d}/:month{\\d\\d?}", access: "member", get: sendPeriod },
];

const jsonType = "application/json; charset=utf-8";

async function send(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed);
      const { hub, member, params } = context;
      const what = params["what"] ?? "";
      if (what === "archive") {
        const bytes = () => exportArchive(hub, member.channel);
        return download(context, { name: fileName(context, "tar"), type: "application/x-tar", bytes });
      }
      const pieces = await exportChannel(hub, member.channel, { posts: what === "complete" });
      return download(context, { name: fileName(context, "json", what), type: jsonType, bytes: () => encoded(pieces) });
    },
    (fault) => page(context, fault),
  );
}

/** The posts of one year or month, as the owner's clocks count; they hold no key. */
function sendPeriod(context: MemberContext): Response {
  const { hub, member, params } = context;
  const period = periodOf(member.channel.channel_timezone, params["year"] ?? "", params["month"]);
  if (!period) throw missing("Page");
  const bytes = () => encoded(exportPeriod(hub, member.channel, period));
  return download(context, { name: fileName(context, "json", period.name), type: jsonType, bytes });
}

type Period = { name: string; since: string; until: string };

function periodOf(zone: string, year: string, month?: string): Period | undefined {
  const [first, count] = month === undefined ? [1, 12] : [Number(month), 1];
  if (first < 1 || first > 12) return undefined;
  const [since, end] = [startOf(zone, Number(year), first), startOf(zone, Number(year), first + count)];
  if (since === undefined || end === undefined) return undefined;
  const until = new Date(storedMoment(end).getTime() - 1000).toISOString().slice(0, 19).replace("T", " ");
  return { name: month === undefined ? year : `${year}-${twoDigits(first)}`, since, until };
}

/** When a month begins; the thirteenth is the first of the next year. */
function startOf(zone: string, year: number, month: number): string | undefined {
  const [y, m] = month > 12 ? [year + 1, month - 12] : [year, month];
  return storedDate(readDate(`${String(y).padStart(4, "0")}-${twoDigits(m)}-01`), zone, new Date(0));
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

function encoded(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  return ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
}

function fileName({ hub, member }: MemberContext, extension: string, what = ""): string {
  const day = /^\d/.test(what) ? "" : `-${hub.clock().toISOString().slice(0, 10)}`;
  return `${member.channel.channel_address}${what === "" ? "" : `-${what}`}${day}.${extension}`;
}

async function page(context: MemberContext, fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const { channel } = member;
  const extent = await exportExtent(hub, channel);
  const main = html`<p class="crumbs"><a href="/settings">${say("moving.settings")}</a></p>
    <h1>${say("moving.export-channel", { name: channel.channel_name })}</h1>
    <form class="card form-page" method="post" action="/uexport/archive" data-answer="file">
      <p class="lead">${say("moving.export-lead")}</p>
      <p>${say.html("moving.holds-key")}</p>
      ${token(context)} ${alert(fault)}
      <input
        type="text"
        name="username"
        value="${member.account.account_email}"
        autocomplete="username"
        readonly
        hidden
      />
      ${passwordFields(context, { hint: say("moving.asked-again"), fault })}
      <h2>${say("moving.everything")}</h2>
      <p>${extent ? say("moving.everything-lead-count", { items: extent.items }) : say("moving.everything-lead")}</p>
      <p class="submit"><button class="button primary">${say("moving.download-everything")}</button></p>
      <h2>${say("moving.without-files")}</h2>
      <p>${say("moving.without-files-lead")}</p>
      <p class="submit">
        <button class="button" formaction="/uexport/basic">${say("moving.without-posts")}</button>
        <button class="button" formaction="/uexport/complete">${say("moving.with-recent-posts")}</button>
      </p>
      <p class="hint">${say.html("moving.without-drafts", { drafts: linkTo("/drafts") })}</p>
    </form>
    ${extent ? periods(context, extent) : ""}`;
  return show(context, { title: say("moving.export"), main, status: fault?.status ?? 200 });
}

const mostYears = 60;

/** The years and months that there is something of; these files hold no key. */
function periods(context: MemberContext, { first, last }: { first: string; last: string }): Html {
  const [begin, end] = [monthIn(context, first), monthIn(context, last)];
  const count = Math.min(end.year - begin.year + 1, mostYears);
  const years = Array.from({ length: count }, (_, n) => end.year - n);
  return html`<section class="card">
    <h2>${context.say("moving.by-year")}</h2>
    <p>${context.say("moving.by-year-lead")}</p>
    <ul class="export-years">
      ${years.map((year) => yearRow(context, year, year === begin.year ? begin.month : 1, year === end.year ? end.month : 12))}
    </ul>
  </section>`;
}

function yearRow(context: MemberContext, year: number, from: number, to: number): Html {
  const months = Array.from({ length: to - from + 1 }, (_, n) => from + n);
  const link = (month: number): Html =>
    html`<a href="/uexport/${year}/${month}"
      >${dayWords(context, `${year}-${twoDigits(month)}-01`, "short month")}<span class="unseen"> ${year}</span></a
    > `;
  return html`<li>
    <a href="/uexport/${year}"><strong>${year}</strong></a>
    <span>${months.map(link)}</span>
  </li>`;
}

function monthIn(context: MemberContext, date: string): { year: number; month: number } {
  const [year = 0, month = 0] = dayIn(context, date).split("-").map(Number);
  return { year, month };
}
