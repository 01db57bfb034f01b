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
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, box, textField, token } from "../../parts/forms.ts";
import { grantBoxes, grantsIn } from "../../parts/connections/grants.ts";
import { icon } from "../../parts/icons.ts";
import type { Say } from "../../languages/say.ts";

/** Named sets of permissions to give to connections. */
export const settingsPermissionSetsPages: Page[] = [
  { path: "/settings/permission-sets", access: "member", get: (context) => list(context), post: create },
  {
    path: "/settings/permission-sets/:name",
    access: "member",
    onlyForm: true,
    get: (context) => page(context),
    post: save,
  },
  { path: "/settings/permission-sets/:name/delete", access: "member", onlyForm: true, get: confirm, post: remove },
];

function pathOf(name: string): string {
  return `/settings/permission-sets/${encodeURIComponent(name)}`;
}

async function list(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const uid = member.channel.channel_id;
  const [sets, usual, grants] = await Promise.all([
    listPermissionSets(hub, uid),
    defaultSet(hub, uid),
    grantsFor(hub, member.channel),
  ]);
  const granted = new Set(fault ? typed.all("grant") : permissionNames.filter((name) => grants[name] === 1));
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.permission-sets")}</h1>
    <p class="lead">${say("settings.sets-lead")}</p>
    ${sets.length > 0 ? setList(say, sets, usual) : html`<p class="empty">${say("settings.sets-none")}</p>`}
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("settings.new-set"), name: "name", value: typed.text("name"), required: true, fault })}
      ${grantBoxes(say, { legend: say("settings.set-allows"), granted })}
      <p class="submit"><button class="button primary">${say("settings.make-it")}</button></p>
    </form>`;
  return show(context, { title: say("settings.permission-sets"), main, status: fault?.status ?? 200 });
}

function setList(say: Say, sets: PermissionSet[], usual: PermissionSet | undefined): Html {
  return html`<ul class="card plain-list">
    ${sets.map(
      ({ name, granted }) =>
        html`<li>
          <a href="${pathOf(name)}">${icon("sliders")} <span>${name}</span></a
          ><span class="hint"
            >${say(name === usual?.name ? "settings.set-size-usual" : "settings.set-size", { count: granted.length, all: permissionNames.length })}</span
          >
        </li>`,
    )}
  </ul>`;
}

async function create(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  const name = typed.word("name");
  return tryForm(
    context,
    async () => {
      if (await findPermissionSet(hub, member.channel.channel_id, name)) {
        throw fault("name", say("settings.set-there"));
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
  const { say } = context;
  const set = await load(context);
  const usual = await defaultSet(context.hub, context.member.channel.channel_id);
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> ›
      <a href="/settings/permission-sets">${say("settings.permission-sets")}</a>
    </p>
    <h1>${set.name}</h1>
    <form class="card form-page" method="post">
      ${token(context)}
      ${grantBoxes(say, { legend: say("settings.set-allows"), hint: say("settings.set-kept"), granted: new Set(set.granted) })}
      ${box({ label: say("settings.set-usual"), name: "usual", checked: usual?.name === set.name, hint: say("settings.set-usual-hint") })}
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button>
        <a class="danger-link" href="${pathOf(set.name)}/delete">${say("settings.delete-set")}</a>
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
  const { say } = context;
  const { name } = await load(context);
  return deleteQuestion(context, {
    question: say("settings.delete-set-question", { name }),
    consequence: say("settings.delete-set-means"),
    wayBack: pathOf(name),
  });
}

async function remove(context: MemberContext): Promise<Response> {
  const { name } = await load(context);
  await deletePermissionSet(context.hub, context.member.channel.channel_id, name);
  return redirect(context, "/settings/permission-sets", "deleted");
}
