import {
  applyPermissionSet,
  findConnection,
  listAbconfig,
  removeConnection,
  updateConnection,
} from "../../../../domain/connections/connections.ts";
import type { Connection } from "../../../../domain/connections/connections.ts";
import { permissionLimitsOf } from "../../../../domain/identity/channels/permission-limits.ts";
import { listPermissionSets } from "../../../../domain/identity/channels/permission-sets.ts";
import { listProfiles } from "../../../../domain/identity/channels/profiles.ts";
import { isUnreachedPerson } from "../../../../domain/connections/unreached.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { readButton, readsOnly, stopReading } from "../../parts/connections/connection-actions.ts";
import { alert, box, choice, textArea, textField, token } from "../../parts/forms.ts";
import { grantBoxes, grantsIn } from "../../parts/connections/grants.ts";
import { personRow } from "../../parts/channels/person.ts";
import { linkTo } from "../../languages/say.ts";

/** One connection: closeness, flags, profile, filters, and what it may do. */
export const conneditPages: Page[] = [
  { path: "/connedit/:id", access: "member", get: (context) => page(context), post: save },
  { path: "/connedit/:id/permissions", access: "member", post: applySet },
  { path: "/connedit/:id/remove", access: "member", onlyForm: true, get: confirm, post: remove },
];

const flags = ["blocked", "ignored", "hidden", "archived"] as const;

async function load({ hub, member, params }: MemberContext): Promise<Connection> {
  const found = await findConnection(hub, member.channel.channel_id, idOf(params["id"]));
  if (!found || found.abook_self === 1 || found.abook_unconnected === 1) throw missing("Connection");
  return found;
}

async function grantedBy(
  context: MemberContext,
  abookId: number,
  cat: "my_perms" | "their_perms",
): Promise<Set<string>> {
  const rows = await listAbconfig(context.hub, context.member.channel.channel_id, { abookId, cat });
  return new Set(rows.filter((row) => row.v === "1").map((row) => row.k));
}

async function save(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member, say } = context;
  const known = await load(context);
  return tryForm(
    context,
    async () => {
      const closeness = form.number("closeness");
      if (closeness === undefined) throw fault("closeness", say("connections.closeness-wrong"));
      await updateConnection(hub, member.channel, known.abook_id, {
        closeness,
        incl: form.text("incl").trim(),
        excl: form.text("excl").trim(),
        ...(form.has("profile") && { profile: form.text("profile") }),
        ...Object.fromEntries(flags.map((name) => [name, form.has(name)])),
        // A request has no boxes for grants: it gets them when it is approved.
        ...(known.abook_pending === 0 && { granted: grantsIn(form) }),
      });
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, fault, form),
  );
}

async function page(context: MemberContext, fault?: Fault, typed?: Fields): Promise<Response> {
  const { say } = context;
  const one = await load(context);
  const isUnreached = await isUnreachedPerson(context.hub, one.xchan_hash);
  const checked = (name: (typeof flags)[number]): boolean => (typed ? typed.has(name) : one[`abook_${name}`] === 1);
  const main = html`<h1 class="unseen">${say("connections.connection-with", { name: one.xchan_name })}</h1>
    <ul class="card people">
      ${personRow(context, one, { about: stateOf(context, one, isUnreached), ...(!isUnreached && { actions: readingButton(context, one) }) })}
    </ul>
    ${one.abook_pending === 1 ? "" : await setForm(context, one)}
    <form class="card form-page" method="post" action="/connedit/${one.abook_id}">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("connections.closeness"), name: "closeness", type: "number", min: 0, max: 99, value: typed?.text("closeness") ?? String(one.abook_closeness), required: true, hint: say("connections.closeness-hint"), fault })}
      ${await profileChoice(context, one, typed, fault)}
      <fieldset>
        <legend>${say("connections.how-you-treat")}</legend>
        ${flags.map((name) => box({ label: say(`connections.flag-${name}`), name, checked: checked(name), hint: say(`connections.flag-${name}-hint`) }))}
      </fieldset>
      ${one.abook_pending === 1 ? html`<p class="hint">${say("connections.grants-later")}</p>` : await grants(context, one, typed)}
      <details class="extras" ${one.abook_incl !== "" || one.abook_excl !== "" || typed ? "open" : ""}>
        <summary>${say("connections.which-posts")}</summary>
        <p class="hint">${say("connections.which-posts-hint")}</p>
        ${textArea(context, { label: say("connections.not-with"), name: "excl", value: typed?.text("excl") ?? one.abook_excl, rows: 3, fault })}
        ${textArea(context, { label: say("connections.only-with"), name: "incl", value: typed?.text("incl") ?? one.abook_incl, rows: 3, hint: say("connections.only-with-hint"), fault })}
      </details>
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button>
        <a class="danger-link" href="/connedit/${one.abook_id}/remove">${say("connections.remove-connection")}</a>
      </p>
    </form>`;
  return show(context, { title: one.xchan_name, main, status: fault?.status ?? 200 });
}

function stateOf({ say }: MemberContext, one: Connection, isUnreached: boolean): Html | string {
  if (one.abook_pending === 1)
    return say.html("connections.waits-for-you", { requests: linkTo("/connections/ifpending") });
  if (isUnreached) return say.html("connections.not-reached", { find: linkTo("/connections") });
  if (one.follow_out === "requested") return say("connections.has-not-answered");
  if (readsOnly(one)) return say("connections.reads-you");
  return one.follow_out === "accepted" && one.follow_in !== "accepted"
    ? say("connections.you-read")
    : say("connections.connected");
}

function readingButton(context: MemberContext, one: Connection): Html {
  if (readsOnly(one) && one.abook_blocked === 0) return readButton(context, one.xchan_hash);
  return stopReading(context, one.xchan_hash, one, { kind: "button" });
}

/** Only where there is something to choose from. */
async function profileChoice(
  context: MemberContext,
  one: Connection,
  typed: Fields | undefined,
  fault: Fault | undefined,
): Promise<Html> {
  const { hub, member, say } = context;
  const profiles = await listProfiles(hub, member.channel.channel_id);
  if (profiles.length < 2) return html``;
  const usual = profiles.find((profile) => profile.is_default === 1)?.profile_guid ?? "";
  const known = profiles.some((profile) => profile.profile_guid === one.abook_profile) ? one.abook_profile : usual;
  return choice(context, {
    label: say("connections.profile-seen"),
    name: "profile",
    value: typed?.text("profile") ?? known,
    choices: profiles.map((profile) => [profile.profile_guid, profile.profile_name] as const),
    fault,
  });
}

async function grants(context: MemberContext, one: Connection, typed: Fields | undefined): Promise<Html> {
  const { say } = context;
  const [mine, theirs, limits] = await Promise.all([
    grantedBy(context, one.abook_id, "my_perms"),
    grantedBy(context, one.abook_id, "their_perms"),
    permissionLimitsOf(context.hub, context.member.channel.channel_id),
  ]);
  return grantBoxes(say, {
    legend: say("connections.what-they-may"),
    hint: say("connections.what-they-may-hint"),
    granted: typed ? new Set(typed.all("grant")) : mine,
    theirs,
    limits,
  });
}

/** Gives the connection one of the channel's sets, where there are any. */
async function setForm(context: MemberContext, one: Connection): Promise<Html> {
  const { say } = context;
  const sets = await listPermissionSets(context.hub, context.member.channel.channel_id);
  if (sets.length === 0) return html``;
  return html`<form class="card form-page" method="post" action="/connedit/${one.abook_id}/permissions">
    ${token(context)}
    ${choice(context, { label: say("connections.permission-set"), name: "permcat", value: "", choices: sets.map(({ name }) => [name, name] as const), hint: say("connections.permission-set-hint") })}
    <p class="submit"><button class="button">${say("connections.apply")}</button></p>
  </form>`;
}

async function applySet(context: MemberContext, form: Fields): Promise<Response> {
  const one = await load(context);
  return tryForm(
    context,
    async () => {
      await applyPermissionSet(context.hub, context.member.channel, one.abook_id, form.text("permcat"));
      return redirect(context, `/connedit/${one.abook_id}`, "saved");
    },
    (fault) => page(context, fault),
  );
}

async function confirm(context: MemberContext): Promise<Response> {
  const { say } = context;
  const one = await load(context);
  const main = html`<section class="card form-page">
    <h1>${say("connections.remove-question", { name: one.xchan_name })}</h1>
    <p>${say("connections.remove-means")}</p>
    <form method="post">
      ${token(context)} ${box({ label: say("connections.remove-posts"), name: "drop", checked: false })}
      <p class="submit">
        <button class="button danger">${say("connections.remove")}</button>
        <a href="/connedit/${one.abook_id}">${say("connections.keep-it")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("connections.remove-title"), main });
}

async function remove(context: MemberContext, form: Fields): Promise<Response> {
  const one = await load(context);
  await removeConnection(context.hub, context.member.channel, one.abook_id, { dropItems: form.has("drop") });
  return redirect(context, "/connections", "removed");
}
