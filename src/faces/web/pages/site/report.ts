import type { Item } from "../../../../domain/items/types.ts";
import { findVisibleItem } from "../../../../domain/items/find.ts";
import { findXchan } from "../../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { longestReport, report } from "../../../../domain/reports/report.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { personRow, personUrl } from "../../parts/channels/person.ts";
import { alert, box, textArea, token } from "../../parts/forms.ts";
import { body } from "../../parts/items/body.ts";
import { displayPath } from "../../parts/item-paths.ts";

/** Tells those who run the hub of a post (`?item=`), or of somebody (`?xchan=`). */
export const reportPages: Page[] = [
  { path: "/report", access: "member", onlyForm: true, get: (context) => form(context), post: take, again: form },
];

type Subject = { person: Xchan; item: Item | undefined };

/** Throws missing for what the member does not see, and for the member's own. */
async function subjectOf({ hub, observer, query, member }: MemberContext): Promise<Subject> {
  const id = query.number("item");
  const item = id === undefined ? undefined : await findVisibleItem(hub, observer, { id });
  const person = item
    ? await findXchan(hub, { id: item.author_id })
    : await findKnown(hub, member.channel.channel_id, { hash: query.text("xchan") });
  if (!person || person.xchan_id === member.channel.xchan_id) throw missing("Page");
  return { person, item };
}

/** The host that somebody of elsewhere lives at; undefined for those who live here. */
function hostElsewhere({ xchan_network: network, xchan_hash: hash }: Xchan): string | undefined {
  return network === "activitypub" && URL.canParse(hash) ? new URL(hash).host : undefined;
}

async function form(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const { person, item } = await subjectOf(context);
  const host = hostElsewhere(person);
  const main = html`<section class="card form-page">
    <h1>${item ? say("site.report-this") : say("site.report-person", { name: person.xchan_name })}</h1>
    <p class="lead">${say("site.report-lead", { what: item ? "post" : "person", name: person.xchan_name })}</p>
    ${item ? excerpt(context, person, item) : personList(context, person)}
    <form method="post">
      ${token(context)} ${alert(fault)}
      ${textArea(context, { label: say("site.what-is-wrong"), name: "body", value: typed?.text("body") ?? "", hint: say("site.at-most", { most: longestReport }), fault })}
      ${host === undefined ? "" : box({ label: say("site.tell-elsewhere", { host }), name: "forward", checked: typed?.has("forward") ?? false, hint: say("site.tell-elsewhere-hint") })}
      <p class="submit">
        <button class="button primary">${say("site.report")}</button>
        <a href="${item ? displayPath(context, item) : personUrl(context, person)}">${say("forms.leave-it")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("site.report"), main, status: fault?.status ?? 200 });
}

function excerpt(context: MemberContext, person: Xchan, item: Item): Html {
  const { say } = context;
  return html`<p>${say("site.wrote", { name: person.xchan_name })}</p>
    <blockquote class="body">${body(context, item.html)}</blockquote>`;
}

function personList(context: MemberContext, person: Xchan): Html {
  return html`<ul class="people">
    ${personRow(context, person)}
  </ul>`;
}

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const { person, item } = await subjectOf(context);
      await report(context.hub, context.member.channel, {
        person: person.xchan_hash,
        items: item ? [{ id: item.id }] : [],
        comment: typed.text("body"),
        forward: typed.has("forward"),
      });
      return redirect(context, item ? displayPath(context, item) : "/network", "reported");
    },
    (fault) => form(context, typed, fault),
  );
}
