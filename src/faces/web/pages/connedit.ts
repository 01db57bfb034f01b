import { html } from "hono/html";
import {
  findConnection,
  listAbconfig,
  removeConnection,
  setGrant,
  updateConnection,
} from "../../../domain/connections/connections.ts";
import type { Connection } from "../../../domain/connections/connections.ts";
import { permissionNames } from "../../../domain/identity/roles.ts";
import { inTransaction } from "../../../hub.ts";
import { missing } from "../../../errors.ts";
import { redirect, show } from "../answers.ts";
import { fault, tryForm } from "../faults.ts";
import type { Fault } from "../faults.ts";
import type { Fields } from "../fields.ts";
import type { Html, MemberVisit, Page } from "../page.ts";
import { idOf } from "../path-id.ts";
import { alert, box, textField, token } from "../parts/forms.ts";
import { permissionWords } from "../parts/permission-words.ts";
import { personRow } from "../parts/person.ts";

/** One connection: closeness, flags, and what it may do. */
export const conneditPages: Page[] = [
  { path: "/connedit/:id", access: "member", get: (visit) => page(visit), post: save },
  { path: "/connedit/:id/remove", access: "member", get: confirm, post: remove },
];

const flags = [
  ["blocked", "Blocked", "Sees nothing of yours that needs a permission, and you see nothing of theirs."],
  ["ignored", "Ignored", "Cannot change anything of yours; you do not see their posts."],
  ["hidden", "Hidden", "Others do not see this connection in your list."],
  ["archived", "Archived", "Nothing is sent to them any more."],
] as const;

async function load({ hub, member, params }: MemberVisit): Promise<Connection> {
  const found = await findConnection(hub, member.channel.channel_id, idOf(params["id"]));
  if (!found || found.abook_self === 1) throw missing("Connection");
  return found;
}

async function grantedBy(visit: MemberVisit, abookId: number, cat: "my_perms" | "their_perms"): Promise<Set<string>> {
  const rows = await listAbconfig(visit.hub, visit.member.channel.channel_id, { abookId, cat });
  return new Set(rows.filter((row) => row.v === "1").map((row) => row.k));
}

async function save(visit: MemberVisit, form: Fields): Promise<Response> {
  const { hub, member } = visit;
  const known = await load(visit);
  return tryForm(
    async () => {
      const closeness = form.number("closeness");
      if (closeness === undefined) throw fault("closeness", "Closeness goes from 0 to 99.");
      const before = await grantedBy(visit, known.abook_id, "my_perms");
      await inTransaction(hub, async (hub) => {
        await updateConnection(hub, member.channel, known.abook_id, {
          closeness,
          ...Object.fromEntries(flags.map(([name]) => [name, form.has(name)])),
        });
        const wanted = new Set(form.all("grant"));
        for (const name of permissionNames) {
          if (wanted.has(name) !== before.has(name))
            await setGrant(hub, member.channel, known.abook_id, name, wanted.has(name));
        }
      });
      return redirect(visit, visit.path, "saved");
    },
    (fault) => page(visit, fault),
  );
}

async function page(visit: MemberVisit, fault?: Fault): Promise<Response> {
  const one = await load(visit);
  const [mine, theirs] = await Promise.all([
    grantedBy(visit, one.abook_id, "my_perms"),
    grantedBy(visit, one.abook_id, "their_perms"),
  ]);
  const main = html`<h1 class="unseen">Connection with ${one.xchan_name}</h1>
    <ul class="card people">
      ${personRow(visit, one, { about: stateOf(one) })}
    </ul>
    <form class="card form-page" method="post">
      ${token(visit)} ${alert(fault)}
      ${textField({ label: "Closeness", name: "closeness", type: "number", min: 0, max: 99, value: String(one.abook_closeness), required: true, hint: "0 is you, 99 is far away. Apps can filter the stream by it.", fault })}
      <fieldset>
        <legend>How you treat this connection</legend>
        ${flags.map(([name, label, hint]) => box({ label, name, checked: one[`abook_${name}`] === 1, hint }))}
      </fieldset>
      ${one.abook_pending === 1 ? html`<p class="hint">What they may do is set when you approve the request.</p>` : grants(mine, theirs)}
      <p class="submit">
        <button class="button primary">Save</button>
        <a class="danger-link" href="${visit.path}/remove">Remove the connection</a>
      </p>
    </form>`;
  return show(visit, { title: one.xchan_name, main, status: fault?.status ?? 200 });
}

function stateOf(one: Connection): Html | string {
  if (one.abook_pending === 1) return html`Waits for your answer: <a href="/connections/ifpending">requests</a>`;
  return one.follow_out === "requested" ? "Has not answered your request yet" : "Connected";
}

function grants(mine: Set<string>, theirs: Set<string>): Html {
  return html`<fieldset>
    <legend>What they may do with your channel</legend>
    <p class="hint">A dot marks what they let you do in turn.</p>
    <div class="columns">
      ${permissionNames.map((name) =>
        box({
          label: html`${permissionWords[name]}${theirs.has(name) ? html` <span class="theirs" title="They let you do this">●<span class="unseen">they let you do this too</span></span>` : ""}`,
          name: "grant",
          value: name,
          checked: mine.has(name),
        }),
      )}
    </div>
  </fieldset>`;
}

async function confirm(visit: MemberVisit): Promise<Response> {
  const one = await load(visit);
  const main = html`<section class="card form-page">
    <h1>Remove the connection with ${one.xchan_name}?</h1>
    <p>
      They leave your groups and lose what you allowed them. What they wrote stays in your stream, unless you say
      otherwise.
    </p>
    <form method="post">
      ${token(visit)} ${box({ label: "Take their posts out of my stream too", name: "drop", checked: false })}
      <p class="submit">
        <button class="button danger">Remove</button> <a href="/connedit/${one.abook_id}">Keep it</a>
      </p>
    </form>
  </section>`;
  return show(visit, { title: "Remove a connection", main });
}

async function remove(visit: MemberVisit, form: Fields): Promise<Response> {
  const one = await load(visit);
  await removeConnection(visit.hub, visit.member.channel, one.abook_id, { dropItems: form.has("drop") });
  return redirect(visit, "/connections", "removed");
}
