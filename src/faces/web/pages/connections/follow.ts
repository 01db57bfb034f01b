import { connect, findConnectionTo, unfollow } from "../../../../domain/connections/connections.ts";
import { findByProfile } from "../../../../domain/people/find-person.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { lookingPage, personAnywhere } from "../../look-up.ts";
import { localPath } from "../../local-path.ts";
import type { MemberContext, Page } from "../../page.ts";
import { connectButton } from "../../parts/connections/connection-actions.ts";
import { aboutsFor, personRow } from "../../parts/channels/person.ts";

/**
 * The page that other sites link to for connecting: it asks, and only its form connects (native contract 8.1); and the
 * form that ends reading somebody (microblog contract 8.8).
 */
export const followPages: Page[] = [
  { path: "/follow", access: "member", get: ask, post: take },
  { path: "/unfollow", access: "member", post: end },
];

async function ask(context: MemberContext): Promise<Response> {
  const { hub, member, query, say } = context;
  const address = query.word("url");
  const sought = await findByProfile(hub, address);
  const looking = await lookingPage(context, address, sought);
  if (looking) return looking;
  const { person, sentence } =
    address === ""
      ? { person: undefined, sentence: say("connections.whom") }
      : await personAnywhere(context, address, sought);
  if (!person) {
    const main = html`<section class="card notice-page">
      <h1>${say("connections.connect")}</h1>
      <p role="status">${sentence}</p>
      <p><a class="button" href="/connections">${say("connections.find-somebody")}</a></p>
    </section>`;
    return show(context, { title: say("connections.connect"), main, status: address === "" ? 200 : 404 });
  }
  const known = await findConnectionTo(hub, member.channel.channel_id, person.xchan_hash);
  const about = (await aboutsFor(context, [person])).get(person.xchan_id) ?? "";
  const own = person.xchan_hash === member.channel.channel_hash;
  const main = html`<h1>${own ? say("connections.that-is-you") : say("connections.connect-question")}</h1>
    <ul class="card people">
      ${personRow(context, person, { about, ...(!own && { actions: connectButton(context, person.xchan_hash, known) }) })}
    </ul>`;
  return show(context, { title: say("connections.connect"), main });
}

async function take(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const person = await findKnown(hub, member.channel.channel_id, { hash: form.text("xchan") });
  if (!person) throw missing("Identity");
  const made = await connect(hub, member.channel, person);
  return redirect(
    context,
    localPath(form.text("back"), "/connections"),
    made.follow_out === "requested" ? "asked" : "connected",
  );
}

async function end(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const hash = form.text("xchan");
  const known = await findConnectionTo(hub, member.channel.channel_id, hash);
  await unfollow(hub, member.channel, hash);
  const done = known?.follow_out === "requested" ? "withdrawn" : "unfollowing";
  return redirect(context, localPath(form.text("back"), "/connections"), done);
}
