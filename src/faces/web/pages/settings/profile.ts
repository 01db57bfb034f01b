import { defaultProfile } from "../../../../domain/identity/channels/profiles.ts";
import { updateProfile } from "../../../../domain/people/change-profile.ts";
import { uploadPhotoFor } from "../../../../domain/cloud/channel-photos.ts";
import { hasAvatar } from "../../../../domain/photos/avatar.ts";
import type { Use } from "../../../../domain/photos/scales.ts";
import { renditionPath } from "../../../../domain/photos/urls.ts";
import { coverOf, stopUsing } from "../../../../domain/photos/use.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, buttonForm, textArea, textField, token } from "../../parts/forms.ts";
import { avatar } from "../../parts/channels/person.ts";
import { fieldLabel } from "../../parts/channels/profile-labels.ts";

/** Where the forms of the two photos are sent. */
const photoPaths = {
  profile: "/settings/profile/photo",
  cover: "/settings/profile/cover",
} as const satisfies Record<Use, string>;

/** What the channel says about itself. */
export const settingsProfilePages: Page[] = [
  { path: "/settings/profile", access: "member", onlyForm: true, get: (context) => page(context), post: save },
  ...(["profile", "cover"] as const).flatMap((use): Page[] => [
    {
      path: photoPaths[use],
      access: "member",
      post: (context, form) => takePhoto(context, use, form),
      files: ["image"],
    },
    { path: `${photoPaths[use]}/remove`, access: "member", post: (context) => removePhoto(context, use) },
  ]),
];

const lines = ["fullname", "pdesc", "locality", "region", "country_name", "homepage", "keywords"] as const;

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    context,
    async () => {
      const { id } = await defaultProfile(hub, member.channel.channel_id);
      await updateProfile(hub, member.channel.channel_id, id, {
        ...Object.fromEntries(lines.map((name) => [name, typed.word(name)])),
        about: typed.text("about").trim(),
        publish: typed.has("publish") ? 1 : 0,
      });
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, typed, fault.field === "name" ? { ...fault, field: "fullname" } : fault),
  );
}

/** Where the form of a photo failed. */
type PhotoFault = Fault & { use?: Use };

async function page(context: MemberContext, typed?: Fields, fault?: PhotoFault): Promise<Response> {
  const { hub, member, say } = context;
  const uid = member.channel.channel_id;
  const profile = await defaultProfile(hub, uid);
  const value = (name: (typeof lines)[number] | "about"): string => typed?.text(name) ?? profile[name];
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.profile")}</h1>
    ${await photoForm(context, "profile", fault)} ${await photoForm(context, "cover", fault)}
    <form class="card form-page" method="post" action="/settings/profile">
      ${token(context)} ${fault?.field === "image" ? "" : alert(fault)}
      ${textField(context, { label: say("settings.fullname"), name: "fullname", value: value("fullname"), required: true, autocomplete: "name", fault })}
      ${textField(context, { label: fieldLabel(say, "pdesc"), name: "pdesc", value: value("pdesc"), hint: say("settings.pdesc-hint"), fault })}
      ${textArea(context, { label: say("settings.about"), name: "about", value: value("about"), rows: 5, fault })}
      <div class="columns">
        ${textField(context, { label: fieldLabel(say, "locality"), name: "locality", value: value("locality"), fault })}
        ${textField(context, { label: fieldLabel(say, "region"), name: "region", value: value("region"), fault })}
        ${textField(context, { label: fieldLabel(say, "country_name"), name: "country_name", value: value("country_name"), fault })}
        ${textField(context, { label: fieldLabel(say, "homepage"), name: "homepage", type: "url", value: value("homepage"), fault })}
      </div>
      ${textField(context, { label: fieldLabel(say, "keywords"), name: "keywords", value: value("keywords"), fault })}
      ${box({ label: say("settings.list-me"), name: "publish", checked: typed ? typed.has("publish") : profile.publish === 1 })}
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button>
        <a href="/profile/${member.channel.channel_address}">${say("settings.look-at-it")}</a>
        <a href="/settings/profiles">${say("settings.all-fields")}</a>
      </p>
    </form>`;
  return show(context, { title: say("settings.profile"), main, status: fault?.status ?? 200 });
}

async function photoForm(context: MemberContext, use: Use, fault?: PhotoFault): Promise<Html> {
  const { say } = context;
  const path = photoPaths[use];
  const shown = await shownPhoto(context, use);
  return html`<section class="card photo-form" aria-label="${say(`settings.photo-${use}`)}">
    ${shown.picture}
    <div>
      <form method="post" action="${path}" enctype="multipart/form-data">
        ${token(context)} ${fault?.use === use ? alert(fault) : ""}
        <div class="field">
          <label for="f-${use}">${say(`settings.photo-new-${use}`)}</label
          ><input id="f-${use}" type="file" name="image" accept="image/jpeg,image/png,image/gif,image/webp" required />
        </div>
        <button class="button">${say("settings.upload")}</button>
      </form>
      ${shown.isOwn ? buttonForm(context, `${path}/remove`, say(`settings.photo-away-${use}`), { kind: "quiet" }) : ""}
    </div>
  </section>`;
}

async function shownPhoto(context: MemberContext, use: Use): Promise<{ picture: Html; isOwn: boolean }> {
  const { hub, member, observer } = context;
  const { channel } = member;
  if (use === "profile") {
    const picture = avatar(context, `${hub.config.baseUrl}/photo/profile/l/${channel.channel_id}`, "large");
    return { picture, isOwn: await hasAvatar(hub, channel.channel_id) };
  }
  const cover = await coverOf(hub, observer, channel);
  const picture = cover
    ? html`<img class="cover-preview" src="${renditionPath(cover.resource_id, "coverSmall")}" alt="" />`
    : html``;
  return { picture, isOwn: cover !== undefined };
}

async function takePhoto(context: MemberContext, use: Use, form: Fields): Promise<Response> {
  const { say } = context;
  return tryForm(
    context,
    async () => {
      const file = form.file("image");
      if (!file) throw fault("image", say("settings.choose-picture"));
      await uploadPhotoFor(context.hub, use, context.member.channel, file.staged, file);
      return redirect(context, "/settings/profile", "saved");
    },
    (fault) => page(context, undefined, { ...fault, field: "image", use }),
  );
}

async function removePhoto(context: MemberContext, use: Use): Promise<Response> {
  await stopUsing(context.hub, context.member.channel, use);
  return redirect(context, "/settings/profile", "saved");
}
