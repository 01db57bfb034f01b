import { html } from "hono/html";
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
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, buttonForm, textArea, textField, token } from "../../parts/forms.ts";
import { avatar } from "../../parts/channels/person.ts";

/** What the forms of the two photos say, and where they are sent. */
const photoForms = {
  profile: { label: "Picture", path: "/settings/profile/photo", field: "A new picture", away: "Back to the drawn one" },
  cover: { label: "Cover", path: "/settings/profile/cover", field: "A new cover", away: "No cover" },
} as const satisfies Record<Use, object>;

/** What the channel says about itself. */
export const settingsProfilePages: Page[] = [
  { path: "/settings/profile", access: "member", get: (context) => page(context), post: save },
  ...(["profile", "cover"] as const).flatMap((use): Page[] => [
    {
      path: photoForms[use].path,
      access: "member",
      post: (context, form) => takePhoto(context, use, form),
      files: ["image"],
    },
    { path: `${photoForms[use].path}/remove`, access: "member", post: (context) => removePhoto(context, use) },
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
  const { hub, member } = context;
  const uid = member.channel.channel_id;
  const profile = await defaultProfile(hub, uid);
  const value = (name: (typeof lines)[number] | "about"): string => typed?.text(name) ?? profile[name];
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Profile</h1>
    ${await photoForm(context, "profile", fault)} ${await photoForm(context, "cover", fault)}
    <form class="card form-page" method="post" action="/settings/profile">
      ${token(context)} ${fault?.field === "image" ? "" : alert(fault)}
      ${textField(context, { label: "Name", name: "fullname", value: value("fullname"), required: true, autocomplete: "name", fault })}
      ${textField(context, { label: "In one line", name: "pdesc", value: value("pdesc"), hint: "Shown under your name.", fault })}
      ${textArea(context, { label: "About", name: "about", value: value("about"), rows: 5, fault })}
      <div class="columns">
        ${textField(context, { label: "Town", name: "locality", value: value("locality"), fault })}
        ${textField(context, { label: "Region", name: "region", value: value("region"), fault })}
        ${textField(context, { label: "Country", name: "country_name", value: value("country_name"), fault })}
        ${textField(context, { label: "Web site", name: "homepage", type: "url", value: value("homepage"), fault })}
      </div>
      ${textField(context, { label: "Interests", name: "keywords", value: value("keywords"), fault })}
      ${box({ label: "List me in the directory", name: "publish", checked: typed ? typed.has("publish") : profile.publish === 1 })}
      <p class="submit">
        <button class="button primary">Save</button> <a href="/profile/${member.channel.channel_address}">Look at it</a>
        <a href="/settings/profiles">All fields, other profiles</a>
      </p>
    </form>`;
  return show(context, { title: "Profile", main, status: fault?.status ?? 200 });
}

async function photoForm(context: MemberContext, use: Use, fault?: PhotoFault): Promise<Html> {
  const { label, path, field, away } = photoForms[use];
  const shown = await shownPhoto(context, use);
  return html`<section class="card photo-form" aria-label="${label}">
    ${shown.picture}
    <div>
      <form method="post" action="${path}" enctype="multipart/form-data">
        ${token(context)} ${fault?.use === use ? alert(fault) : ""}
        <div class="field">
          <label for="f-${use}">${field}</label
          ><input id="f-${use}" type="file" name="image" accept="image/jpeg,image/png,image/gif,image/webp" required />
        </div>
        <button class="button">Upload</button>
      </form>
      ${shown.isOwn ? buttonForm(context, `${path}/remove`, away, { kind: "quiet" }) : ""}
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
  return tryForm(
    context,
    async () => {
      const file = form.file("image");
      if (!file) throw fault("image", "Choose a picture first.");
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
