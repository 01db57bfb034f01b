import { html } from "hono/html";
import { grantsFor } from "../../../../domain/connections/connections.ts";
import {
  defaultSet,
  deletePermissionSet,
  findPermissionSet,
  listPermissionSets,
  savePermissionSet,
} from "../../../../domain/identity/channels/permission-sets.ts";
import type { PermissionSet } from "../../../../domain/identity/channels/permission-sets.ts";
import { permissionNames } from "../../../../domain/identity/channels/roles.ts";
import { HubError, missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, box, textField, token } from "../../parts/forms.ts";
import { grantBoxes, grantsIn } from "../../parts/connections/grants.ts";
import { icon } from "../../parts/icons.ts";

/** Named sets of permissions to give to connections. */
export const settingsPermissionSetsPages: Page[] = [
  { path: "/settings/permission-sets", access: "member", get: (context) => list(context), post: create },
  { path: "/settings/permission-sets/:name", access: "member", get: (context) => page(context), post: save },
  { path: "/settings/permission-sets/:name/delete", access: "member", get: confirm, post: remove },
];

function pathOf(name: string): string {
  return `/settings/permission-sets/${encodeURIComponent(name)}`;
}

async function list(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { hub, member } = context;
  const uid = member.channel.channel_id;
  const [sets, usual, grants] = await Promise.all([
    listPermissionSets(hub, uid),
    defaultSet(hub, uid),
    grantsFor(hub, member.channel),
  ]);
  const granted = new Set(fault ? typed.all("grant") : permissionNames.filter((name) => grants[name] === 1));
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Permission sets</h1>
    <p class="lead">
      A set is a choice of permissions with a name. Give it to a connection on the page of that connection, or to every
      new one.
    </p>
    ${sets.length > 0 ? setList(sets, usual) : html`<p class="empty">You have no sets.</p>`}
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: "A new set", name: "name", value: typed.text("name"), required: true, fault })}
      ${grantBoxes(context.say, { legend: "What it allows", granted })}
      <p class="submit"><button class="button primary">Make it</button></p>
    </form>`;
  return show(context, { title: "Permission sets", main, status: fault?.status ?? 200 });
}

function setList(sets: PermissionSet[], usual: PermissionSet | undefined): Html {
  return html`<ul class="card plain-list">
    ${sets.map(
      ({ name, granted }) =>
        html`<li>
          <a href="${pathOf(name)}">${icon("sliders")} <span>${name}</span></a
          ><span class="hint"
            >${granted.length} of ${permissionNames.length}${name === usual?.name ? ", for new connections" : ""}</span
          >
        </li>`,
    )}
  </ul>`;
}

async function create(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const name = typed.word("name");
  return tryForm(
    context,
    async () => {
      if (await findPermissionSet(hub, member.channel.channel_id, name)) {
        throw new HubError("conflict", "There is a set with this name already.", { field: "name" });
      }
      await savePermissionSet(hub, member.channel.channel_id, { name, granted: grantsIn(typed) });
      return redirect(context, "/settings/permission-sets", "made");
    },
    (fault) => list(context, typed, fault),
  );
}

async function load({ hub, member, params }: MemberContext): Promise<PermissionSet> {
  const set = await findPermissionSet(hub, member.channel.channel_id, params["name"] ?? "");
  if (!set) throw missing("Permission set");
  return set;
}

async function page(context: MemberContext): Promise<Response> {
  const set = await load(context);
  const usual = await defaultSet(context.hub, context.member.channel.channel_id);
  const main = html`<p class="crumbs">
      <a href="/settings">Settings</a> › <a href="/settings/permission-sets">Permission sets</a>
    </p>
    <h1>${set.name}</h1>
    <form class="card form-page" method="post">
      ${token(context)}
      ${grantBoxes(context.say, { legend: "What it allows", hint: "Connections that have the set already keep what they have.", granted: new Set(set.granted) })}
      ${box({ label: "New connections get this set", name: "usual", checked: usual?.name === set.name, hint: "Otherwise the channel's role decides what they may do." })}
      <p class="submit">
        <button class="button primary">Save</button>
        <a class="danger-link" href="${pathOf(set.name)}/delete">Delete the set</a>
      </p>
    </form>`;
  return show(context, { title: set.name, main });
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { name } = await load(context);
  const uid = context.member.channel.channel_id;
  await savePermissionSet(context.hub, uid, { name, granted: grantsIn(typed) }, typed.has("usual"));
  return redirect(context, pathOf(name), "saved");
}

async function confirm(context: MemberContext): Promise<Response> {
  const { name } = await load(context);
  return deleteQuestion(context, {
    question: `Delete the set ${name}?`,
    consequence: "Connections keep what they may do. New ones get what the role of the channel says.",
    wayBack: pathOf(name),
  });
}

async function remove(context: MemberContext): Promise<Response> {
  const { name } = await load(context);
  await deletePermissionSet(context.hub, context.member.channel.channel_id, name);
  return redirect(context, "/settings/permission-sets", "deleted");
}
