import {
  assignProfile,
  connectionsByName,
  peopleWithoutProfile,
  withdrawProfile,
} from "../../../../domain/connections/connections.ts";
import { deleteProfile } from "../../../../domain/connections/assign-profile.ts";
import { createProfile, findProfile, listProfiles } from "../../../../domain/identity/channels/profiles.ts";
import { updateProfile } from "../../../../domain/people/change-profile.ts";
import type { Profile } from "../../../../domain/identity/channels/profiles.ts";
import { unsetDate } from "../../../../http/dates.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { localPath } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, box, textArea, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { fieldLabel, lineFields, moreLineFields, personalFields } from "../../parts/channels/profile-labels.ts";
import { findInsideForm, insideList, outsideForm } from "../../parts/connections/inside-and-outside.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import type { Say } from "../../languages/say.ts";

const perPage = 50;

/** All profiles of the channel with all their fields, and who sees which. */
export const settingsProfilesPages: Page[] = [
  { path: "/settings/profiles", access: "member", get: (context) => list(context), post: create },
  { path: "/settings/profiles/:id", access: "member", onlyForm: true, get: (context) => page(context), post: save },
  { path: "/settings/profiles/:id/people", access: "member", post: changePeople },
  { path: "/settings/profiles/:id/delete", access: "member", onlyForm: true, get: confirm, post: remove },
];

type LineField = (typeof lineFields | typeof moreLineFields)[number];

const texts = personalFields.filter((name) => name !== "keywords");

async function list(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const profiles = await listProfiles(context.hub, context.member.channel.channel_id);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.profiles")}</h1>
    <p class="lead">${say("settings.profiles-lead")}</p>
    <ul class="card plain-list">
      ${profiles.map(
        (profile) =>
          html`<li>
            <a href="/settings/profiles/${profile.id}">${icon("person")} <span>${profile.profile_name}</span></a
            >${profile.is_default === 1 ? html`<span class="hint">${say("settings.default")}</span>` : ""}
          </li>`,
      )}
    </ul>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("settings.new-profile"), name: "profile_name", value: typed.text("profile_name"), required: true, hint: say("settings.new-profile-hint"), fault })}
      <p class="submit"><button class="button primary">${say("settings.make-it")}</button></p>
    </form>`;
  return show(context, { title: say("settings.profiles"), main, status: fault?.status ?? 200 });
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
  const { say } = context;
  const profile = await load(context);
  const { channel_address: nick } = context.member.channel;
  const value = (name: keyof Profile): string => typed?.text(name) ?? String(profile[name]);
  const line = (name: LineField): Html =>
    textField(context, {
      label: fieldLabel(say, name),
      name,
      value: value(name),
      ...(name === "homepage" && { type: "url" }),
      fault,
    });
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="/settings/profiles">${say("settings.profiles")}</a>
    </p>
    <h1>${profile.profile_name}</h1>
    ${profile.is_default === 1 ? "" : await people(context, profile)}
    <form class="card form-page" method="post" action="/settings/profiles/${profile.id}">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("settings.profile-called"), name: "profile_name", value: value("profile_name"), required: true, hint: say("settings.only-you"), fault })}
      ${textField(context, { label: say("settings.fullname"), name: "fullname", value: value("fullname"), required: true, autocomplete: "name", fault })}
      ${textArea(context, { label: say("settings.about"), name: "about", value: value("about"), rows: 5, fault })}
      ${textArea(context, { label: say("settings.in-short"), name: "summary", value: value("summary"), rows: 2, fault })}
      ${textArea(context, { label: say("settings.about-channel"), name: "chandesc", value: value("chandesc"), rows: 2, fault })}
      <div class="columns">
        ${[...lineFields, ...moreLineFields].map(line)}
        ${textField(context, { label: say("settings.birthday"), name: "dob", value: value("dob"), hint: say("settings.birthday-hint"), fault })}
        ${textField(context, { label: say("settings.together-since"), name: "howlong", type: "date", value: typed?.text("howlong") ?? dayOf(profile.howlong), fault })}
      </div>
      <details class="extras">
        <summary>${say("settings.more-about-you")}</summary>
        <div class="columns">
          ${texts.map((name) => textArea(context, { label: fieldLabel(say, name), name, value: value(name), rows: 2, fault }))}
        </div>
      </details>
      ${textArea(context, { label: say("settings.contact-card"), name: "profile_vcard", value: value("profile_vcard"), rows: 2, fault })}
      ${box({ label: say("settings.hide-friends"), name: "hide_friends", checked: typed ? typed.has("hide_friends") : profile.hide_friends === 1 })}
      ${profile.is_default === 1 ? box({ label: say("settings.list-me"), name: "publish", checked: typed ? typed.has("publish") : profile.publish === 1 }) : ""}
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button>
        <a href="/profile/${nick}/${profile.profile_guid}">${say("settings.look-at-it")}</a>
        ${profile.is_default === 1 ? "" : html`<a class="danger-link" href="/settings/profiles/${profile.id}/delete">${say("settings.delete-profile")}</a>`}
      </p>
    </form>`;
  return show(context, { title: profile.profile_name, main, status: fault?.status ?? 200 });
}

function dayOf(stored: string): string {
  return stored === unsetDate ? "" : stored.slice(0, 10);
}

/** Who sees this profile in place of the default one, and who else could. */
async function people(context: MemberContext, profile: Profile): Promise<Html> {
  const { hub, member, say } = context;
  const uid = member.channel.channel_id;
  const asked = { search: context.query.word("find"), count: perPage };
  const [{ connections, next }, { people, more }] = await Promise.all([
    connectionsByName(hub, uid, { ...asked, ...beforeOf(context), profile: profile.profile_guid }),
    peopleWithoutProfile(hub, uid, profile.profile_guid, asked),
  ]);
  const isSought = asked.search !== "";
  const action = `/settings/profiles/${profile.id}/people`;
  return html`<h2>${say("settings.who-sees-it")}</h2>
    ${isSought || next !== undefined || more ? findInsideForm(say, say("settings.profile-find-label"), asked.search) : ""}
    ${insideList(context, {
      label: say("settings.who-sees-it"),
      action,
      people: connections.map((person) => ({ person, value: person.abook_id })),
      nobody: isSought
        ? say("settings.profile-nobody-found", { text: asked.search })
        : say("settings.profile-nobody-sees"),
    })}
    ${pager(context, next, say("connections.more"))}
    ${outsideForm(context, {
      action,
      people: people.map((one) => ({
        label: one.xchan_name,
        value: String(one.abook_id),
        hint: one.xchan_addr,
      })),
      onlyFirst: more ? perPage : undefined,
      nobody: nobodyToShow(say, asked.search, connections.length === 0),
    })}
    <p class="hint">${say("settings.profile-as-group")}</p>`;
}

function nobodyToShow(say: Say, search: string, isEmpty: boolean): string {
  if (search !== "") return say("connections.group-nobody-to-add", { text: search });
  return say(isEmpty ? "settings.no-connections" : "settings.profile-all-see");
}

async function changePeople(context: MemberContext, form: Fields): Promise<Response> {
  const uid = context.member.channel.channel_id;
  const profile = await load(context);
  const ids = (name: string): number[] =>
    form
      .all(name)
      .filter((text) => /^\d{1,15}$/.test(text))
      .map(Number);
  if (profile.is_default === 0) {
    await assignProfile(context.hub, uid, profile.id, ids("add"));
    await withdrawProfile(context.hub, uid, profile.id, ids("remove"));
  }
  return redirect(context, localPath(form.text("back"), `/settings/profiles/${profile.id}`), "saved");
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
        howlong: howlongIn(context.say, typed),
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

function howlongIn(say: Say, typed: Fields): string {
  const day = typed.word("howlong");
  if (day === "") return unsetDate;
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw fault("howlong", say("settings.choose-day"));
  return `${day} 00:00:00`;
}

async function confirm(context: MemberContext): Promise<Response> {
  const { say } = context;
  const profile = await load(context);
  return deleteQuestion(context, {
    question: say("settings.delete-profile-question", { name: profile.profile_name }),
    consequence: say("settings.delete-profile-means"),
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
