import { html } from "hono/html";
import { defaultProfile, updateProfile } from "../../../domain/identity/profiles.ts";
import { hasAvatar, removeAvatar, setAvatar } from "../../../domain/photos/avatar.ts";
import { redirect, show } from "../answers.ts";
import { fault, tryForm } from "../faults.ts";
import type { Fault } from "../faults.ts";
import type { Fields } from "../fields.ts";
import type { Html, MemberVisit, Page } from "../page.ts";
import { alert, box, buttonForm, textArea, textField, token } from "../parts/forms.ts";
import { avatar } from "../parts/person.ts";

/** What the channel says about itself. */
export const settingsProfilePages: Page[] = [
  { path: "/settings/profile", access: "member", get: (visit) => page(visit), post: save },
  {
    path: "/settings/profile/photo",
    access: "member",
    post: takePhoto,
    files: ["image"],
  },
  { path: "/settings/profile/photo/remove", access: "member", post: removePhoto },
];

const lines = ["fullname", "pdesc", "locality", "region", "country_name", "homepage", "keywords"] as const;

async function save(visit: MemberVisit, typed: Fields): Promise<Response> {
  const { hub, member } = visit;
  return tryForm(
    async () => {
      const long = lines.find((name) => typed.text(name).length > 255);
      if (long) throw fault(long, "This is longer than 255 characters.");
      const { id } = await defaultProfile(hub, member.channel.channel_id);
      await updateProfile(hub, member.channel.channel_id, id, {
        ...Object.fromEntries(lines.map((name) => [name, typed.word(name)])),
        about: typed.text("about").trim(),
        publish: typed.has("publish") ? 1 : 0,
      });
      return redirect(visit, visit.path, "saved");
    },
    (fault) => page(visit, typed, fault.field === "name" ? { ...fault, field: "fullname" } : fault),
  );
}

async function page(visit: MemberVisit, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member } = visit;
  const uid = member.channel.channel_id;
  const profile = await defaultProfile(hub, uid);
  const value = (name: (typeof lines)[number] | "about"): string => typed?.text(name) ?? profile[name];
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Profile</h1>
    ${await photoForm(visit, fault)}
    <form class="card form-page" method="post" action="/settings/profile">
      ${token(visit)} ${fault?.field === "image" ? "" : alert(fault)}
      ${textField({ label: "Name", name: "fullname", value: value("fullname"), required: true, autocomplete: "name", fault })}
      ${textField({ label: "In one line", name: "pdesc", value: value("pdesc"), hint: "Shown under your name.", fault })}
      ${textArea({ label: "About", name: "about", value: value("about"), rows: 5, fault })}
      <div class="columns">
        ${textField({ label: "Town", name: "locality", value: value("locality"), fault })}
        ${textField({ label: "Region", name: "region", value: value("region"), fault })}
        ${textField({ label: "Country", name: "country_name", value: value("country_name"), fault })}
        ${textField({ label: "Web site", name: "homepage", type: "url", value: value("homepage"), fault })}
      </div>
      ${textField({ label: "Interests", name: "keywords", value: value("keywords"), fault })}
      ${box({ label: "List me in the directory", name: "publish", checked: typed ? typed.has("publish") : profile.publish === 1 })}
      <p class="submit">
        <button class="button primary">Save</button> <a href="/profile/${member.channel.channel_address}">Look at it</a>
      </p>
    </form>`;
  return show(visit, { title: "Profile", main, status: fault?.status ?? 200 });
}

async function photoForm(visit: MemberVisit, fault?: Fault): Promise<Html> {
  const { hub, member } = visit;
  const uid = member.channel.channel_id;
  return html`<section class="card photo-form" aria-label="Picture">
    ${avatar(visit, `${hub.config.baseUrl}/photo/profile/l/${uid}`, "large")}
    <div>
      <form method="post" action="/settings/profile/photo" enctype="multipart/form-data">
        ${token(visit)} ${fault?.field === "image" ? alert(fault) : ""}
        <div class="field">
          <label for="f-image">A new picture</label
          ><input id="f-image" type="file" name="image" accept="image/jpeg,image/png,image/gif,image/webp" required />
        </div>
        <button class="button">Upload</button>
      </form>
      ${(await hasAvatar(hub, uid)) ? buttonForm(visit, "/settings/profile/photo/remove", "Back to the drawn one", { kind: "quiet" }) : ""}
    </div>
  </section>`;
}

async function takePhoto(visit: MemberVisit, form: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const file = form.file("image");
      if (!file) throw fault("image", "Choose a picture first.");
      await setAvatar(visit.hub, visit.member.channel, await visit.hub.blobs.read(file.staged));
      return redirect(visit, "/settings/profile", "saved");
    },
    (fault) => page(visit, undefined, { ...fault, field: "image" }),
  );
}

async function removePhoto(visit: MemberVisit): Promise<Response> {
  await removeAvatar(visit.hub, visit.member.channel);
  return redirect(visit, "/settings/profile", "saved");
}
