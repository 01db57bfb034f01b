import { block, unblock } from "../../../../domain/connections/connections.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { localPath } from "../../local-path.ts";
import type { MemberContext, Page } from "../../page.ts";
import { peopleApart } from "../../parts/connections/people-apart.ts";
import { token } from "../../parts/forms.ts";
import { personUrl } from "../../parts/channels/person.ts";
import { linkTo } from "../../languages/say.ts";

/** The people whom the member has blocked, and the way to block one. */
export const blockedPages: Page[] = [
  { path: "/connections/blocked", access: "member", get: list, post: end },
  { path: "/connections/block", access: "member", onlyForm: true, get: confirm, post: begin },
];

function list(context: MemberContext): Promise<Response> {
  const lead = context.say.html("connections.blocked-lead", { hosts: linkTo("/connections/hosts") });
  return peopleApart(context, "blocked", lead);
}

async function end(context: MemberContext, form: Fields): Promise<Response> {
  await unblock(context.hub, context.member.channel, form.text("xchan"));
  return redirect(context, "/connections/blocked", "unblocked");
}

async function personOf({ hub, member }: MemberContext, hash: string): Promise<Xchan> {
  const person = await findKnown(hub, member.channel.channel_id, { hash });
  if (!person || hash === member.channel.channel_hash) throw missing("Identity");
  return person;
}

async function confirm(context: MemberContext): Promise<Response> {
  const { say } = context;
  const person = await personOf(context, context.query.text("xchan"));
  const main = html`<section class="card form-page">
    <h1>${say("connections.block-question", { name: person.xchan_name })}</h1>
    <p>${say("connections.block-means")}</p>
    <form method="post" action="/connections/block">
      ${token(context)} <input type="hidden" name="xchan" value="${person.xchan_hash}" />
      <p class="submit">
        <button class="button danger">${say("connections.hosts-block")}</button>
        <a href="${personUrl(context, person)}">${say("forms.leave-it")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("connections.block-somebody"), main });
}

async function begin(context: MemberContext, form: Fields): Promise<Response> {
  await block(context.hub, context.member.channel, await personOf(context, form.text("xchan")));
  return redirect(context, localPath(form.text("back"), "/connections/blocked"), "blocked");
}
