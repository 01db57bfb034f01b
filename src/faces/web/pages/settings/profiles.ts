import { html } from "hono/html";
import { assignProfile, listConnections } from "../../../../domain/connections/connections.ts";
import { deleteProfile } from "../../../../domain/connections/assign-profile.ts";
import { createProfile, findProfile, listProfiles } from "../../../../domain/identity/channels/profiles.ts";
import { updateProfile } from "../../../../domain/people/change-profile.ts";
import type { Profile } from "../../../../domain/identity/channels/profiles.ts";
import { unsetDate } from "../../../../http/dates.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, box, textArea, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { fieldLabel, lineFields, moreLineFields, personalFields } from "../../parts/channels/profile-labels.ts";

/** All profiles of the channel with all their fields, and who sees which. */
export const settingsProfilesPages: Page[] = [
  { path: "/settings/profiles", access: "member", get: (context) => list(context), post: create },
  { path: "/settings/profiles/:id", access: "member", get: (context) => page(context), post: save },
  { path: "/settings/profiles/:id/people", access: "member", post: assign },
  { path: "/settings/profiles/:id/delete", access: "member", get: confirm, post: remove },
];

type LineField = (typeof lineFields | typeof moreLineFields)[number];

const texts = personalFields.filter((name) => name !== "keywords");

async function list(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const profiles = await listProfiles(context.hub, context.member.channel.channel_id);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Profiles</h1>
    <p class="lead">
      Everybody who may see your profile sees the default one. You can show others to some of your connections.
    </p>
    <ul class="card plain-list">
      ${profiles.map(
        (profile) =>
          html`<li>
            <a href="/settings/profiles/${profile.id}">${icon("person")} <span>${profile.profile_name}</span></a
            >${profile.is_default === 1 ? html`<span class="hint">default</span>` : ""}
          </li>`,
      )}
    </ul>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: "A new profile", name: "profile_name", value: typed.text("profile_name"), required: true, hint: "It begins as a copy of the default one.", fault })}
      <p class="submit"><button class="button primary">Make it</button></p>
    </form>`;
  return show(context, { title: "Profiles", main, status: fault?.status ?? 200 });
}

async function create(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const made = await createProfile(context.hub, context.member.channel, typed.text("profile_name"));
      return redirect(context, `/settings/profiles/${made.id}`, "made");
    },
    (fault) => list(context, typed, fault),
  );
}

function load({ hub, member, params }: MemberContext): Promise<Profile> {
  return findProfile(hub, member.channel.channel_id, idOf(params["id"]));
}

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const profile = await load(context);
  const { channel_address: nick } = context.member.channel;
  const value = (name: keyof Profile): string => typed?.text(name) ?? String(profile[name]);
  const line = (name: LineField): Html =>
    textField(context, {
      label: fieldLabel(context.say, name),
      name,
      value: value(name),
      ...(name === "homepage" && { type: "url" }),
      fault,
    });
  const main = html`<p class="crumbs"><a href="/settings">Settings</a> › <a href="/settings/profiles">Profiles</a></p>
    <h1>${profile.profile_name}</h1>
    ${profile.is_default === 1 ? "" : await people(context, profile)}
    <form class="card form-page" method="post" action="/settings/profiles/${profile.id}">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: "What you call this profile", name: "profile_name", value: value("profile_name"), required: true, hint: "Only you see this.", fault })}
      ${textField(context, { label: "Name", name: "fullname", value: value("fullname"), required: true, autocomplete: "name", fault })}
      ${textArea(context, { label: "About", name: "about", value: value("about"), rows: 5, fault })}
      ${textArea(context, { label: "In short", name: "summary", value: value("summary"), rows: 2, fault })}
      ${textArea(context, { label: "About the channel", name: "chandesc", value: value("chandesc"), rows: 2, fault })}
      <div class="columns">
        ${[...lineFields, ...moreLineFields].map(line)}
        ${textField(context, { label: "Birthday", name: "dob", value: value("dob"), hint: "YYYY-MM-DD. Use 0000 to keep the year to yourself.", fault })}
        ${textField(context, { label: "Together since", name: "howlong", type: "date", value: typed?.text("howlong") ?? dayOf(profile.howlong), fault })}
      </div>
      <details class="extras">
        <summary>More about you</summary>
        <div class="columns">
          ${texts.map((name) => textArea(context, { label: fieldLabel(context.say, name), name, value: value(name), rows: 2, fault }))}
        </div>
      </details>
      ${textArea(context, { label: "Contact card (vCard)", name: "profile_vcard", value: value("profile_vcard"), rows: 2, fault })}
      ${box({ label: "Do not show my connections to those who see this profile", name: "hide_friends", checked: typed ? typed.has("hide_friends") : profile.hide_friends === 1 })}
      ${profile.is_default === 1 ? box({ label: "List me in the directory", name: "publish", checked: typed ? typed.has("publish") : profile.publish === 1 }) : ""}
      <p class="submit">
        <button class="button primary">Save</button>
        <a href="/profile/${nick}/${profile.profile_guid}">Look at it</a>
        ${profile.is_default === 1 ? "" : html`<a class="danger-link" href="/settings/profiles/${profile.id}/delete">Delete the profile</a>`}
      </p>
    </form>`;
  return show(context, { title: profile.profile_name, main, status: fault?.status ?? 200 });
}

function dayOf(stored: string): string {
  return stored === unsetDate ? "" : stored.slice(0, 10);
}

/** Who sees this profile in place of the default one. */
async function people(context: MemberContext, profile: Profile): Promise<Html> {
  const { hub, member } = context;
  const all = await listConnections(hub, member.channel.channel_id, { others: true, pending: false });
  return html`<form class="card form-page" method="post" action="/settings/profiles/${profile.id}/people">
    ${token(context)}
    <fieldset>
      <legend>Who sees it</legend>
      <div class="columns">
        ${all.map((one) => box({ label: one.xchan_name, name: "show", value: String(one.abook_id), checked: one.abook_profile === profile.profile_guid, hint: one.xchan_addr }))}
      </div>
      ${all.length === 0 ? html`<p class="hint">You have no connections yet.</p>` : ""}
      <p class="hint">You can also show posts and files to these people: choose the profile as a group.</p>
    </fieldset>
    ${all.length > 0 ? html`<p class="submit"><button class="button primary">Save</button></p>` : ""}
  </form>`;
}

async function assign(context: MemberContext, form: Fields): Promise<Response> {
  const profile = await load(context);
  const ids = form.all("show").filter((text) => /^\d{1,15}$/.test(text));
  if (profile.is_default === 0)
    await assignProfile(context.hub, context.member.channel.channel_id, profile.id, ids.map(Number));
  return redirect(context, `/settings/profiles/${profile.id}`, "saved");
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const profile = await load(context);
  return tryForm(
    context,
    async () => {
      await updateProfile(context.hub, context.member.channel.channel_id, profile.id, {
        ...linesIn(typed),
        ...Object.fromEntries(
          ["about", "summary", "chandesc", "profile_vcard", ...texts].map((name) => [name, typed.word(name)]),
        ),
        profile_name: typed.text("profile_name"),
        howlong: howlongIn(typed),
        hide_friends: typed.has("hide_friends") ? 1 : 0,
        ...(profile.is_default === 1 && { publish: typed.has("publish") ? 1 : 0 }),
      });
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, typed, fault.field === "name" ? { ...fault, field: "fullname" } : fault),
  );
}

function linesIn(typed: Fields): Record<string, string> {
  const names = ["fullname", "dob", ...lineFields, ...moreLineFields];
  return Object.fromEntries(names.map((name) => [name, typed.word(name)]));
}

function howlongIn(typed: Fields): string {
  const day = typed.word("howlong");
  if (day === "") return unsetDate;
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw fault("howlong", "Choose a day.");
  return `${day} 00:00:00`;
}

async function confirm(context: MemberContext): Promise<Response> {
  const profile = await load(context);
  return deleteQuestion(context, {
    question: `Delete the profile ${profile.profile_name}?`,
    consequence:
      "Those who saw it see your default profile again. Posts that only its people could read are then readable by nobody else.",
    wayBack: `/settings/profiles/${profile.id}`,
  });
}

async function remove(context: MemberContext): Promise<Response> {
  const profile = await load(context);
  return tryForm(
    context,
    async () => {
      await deleteProfile(context.hub, context.member.channel.channel_id, profile.id);
      return redirect(context, "/settings/profiles", "deleted");
    },
    (fault) => page(context, undefined, fault),
  );
}
