import { uploadPhotoFor } from "../../../../domain/cloud/channel-photos.ts";
import { defaultProfile } from "../../../../domain/identity/channels/profiles.ts";
import { updateDefaultProfile } from "../../../../domain/people/change-profile.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { avatar } from "../../parts/channels/person.ts";
import { suggestedSection } from "../../parts/connections/suggested.ts";
import { alert, fileField, textArea, textField, token } from "../../parts/forms.ts";
import { loadAudience } from "../../parts/items/audience.ts";
import { postComposer } from "../../parts/items/post-composer.ts";
import { loadPostComposer } from "../../parts/items/load-composer.ts";

const suggested = 9;

/** The first steps of somebody who is new: each can be left out, and all of them left. */
export const welcomePages: Page[] = [
  {
    path: "/welcome",
    access: "member",
    onlyForm: true,
    get: (context) => you(context),
    post: saveYou,
    files: ["image"],
  },
  { path: "/welcome/people", access: "member", get: people },
  { path: "/welcome/post", access: "member", get: post },
];

const steps = [
  ["/welcome", "you"],
  ["/welcome/people", "people"],
  ["/welcome/post", "post"],
] as const;

async function step(context: MemberContext, title: string, words: string, main: Html, status = 200): Promise<Response> {
  const { say } = context;
  const here = steps.findIndex(([path]) => path === context.path);
  const next = steps[here + 1];
  const way = html`<nav class="steps" aria-label="${say("account.steps")}">
    <ol>
      ${steps.map(([path, name]) => html`<li><a href="${path}" ${path === context.path ? html`aria-current="step"` : ""}>${say(`account.step-${name}`)}</a></li>`)}
    </ol>
    <a class="leave" href="/network">${say("account.leave-steps")}</a>
  </nav>`;
  // The first step has a button of its own that goes on.
  const onward = say(here === 0 ? "account.skip-step" : "account.go-on");
  const onwards = next ? html`<p><a class="button" href="${next[0]}">${onward}</a></p>` : "";
  return show(context, {
    title,
    status,
    main: html`${way}
      <h1>${title}</h1>
      <p class="lead">${words}</p>
      ${main} ${onwards}`,
  });
}

async function you(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const { channel } = member;
  const profile = await defaultProfile(hub, channel.channel_id);
  const value = (name: "fullname" | "about"): string => typed?.text(name) ?? profile[name];
  const main = html`<form class="card form-page" method="post" action="/welcome" enctype="multipart/form-data">
    ${token(context)} ${alert(fault)}
    <div class="portrait">
      ${avatar(context, `${hub.config.baseUrl}/photo/profile/l/${channel.channel_id}`, "large")}
      ${fileField(context, { label: say("account.picture"), name: "image", accept: "image/jpeg,image/png,image/gif,image/webp", fault })}
    </div>
    ${textField(context, { label: say("account.name"), name: "fullname", value: value("fullname"), required: true, autocomplete: "name", fault })}
    ${textArea(context, { label: say("account.about"), name: "about", value: value("about"), rows: 3, hint: say("account.about-hint"), fault })}
    <p class="submit"><button class="button primary">${say("account.save-and-go-on")}</button></p>
  </form>`;
  const title = say("account.welcome", { site: context.site.name });
  return step(context, title, say("account.welcome-lead"), main, fault?.status);
}

async function saveYou(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    context,
    async () => {
      await updateDefaultProfile(hub, member.channel.channel_id, {
        fullname: typed.word("fullname"),
        about: typed.text("about").trim(),
      });
      const file = typed.file("image");
      if (file) await uploadPhotoFor(hub, "profile", member.channel, file.staged, file);
      return redirect(context, "/welcome/people", "saved");
    },
    (fault) => you(context, typed, fault.field === "name" ? { ...fault, field: "fullname" } : fault),
  );
}

async function people(context: MemberContext): Promise<Response> {
  const { say } = context;
  const back = "/welcome/people";
  const found = await suggestedSection(context, { heading: say("account.people-here"), back, count: suggested });
  const main = html`${found}
    <form class="card search-form" action="/connections" role="search">
      <label for="find">${say("account.find-label")}</label>
      <div class="row">
        <input
          id="find"
          name="find"
          autocapitalize="none"
          spellcheck="false"
          placeholder="${say("account.find-example")}"
        /><button class="button primary">${say("account.find")}</button>
      </div>
    </form>
    <p>
      ${say.html("account.more-ways", {
        directory: linkTo("/directory"),
        local: linkTo("/local"),
        tags: linkTo("/settings/tags"),
        list: linkTo("/settings/import-lists"),
      })}
    </p>`;
  return step(context, say("account.people-title"), say("account.people-lead"), main);
}

async function post(context: MemberContext): Promise<Response> {
  const { hub, member, say } = context;
  const [audience, own] = await Promise.all([loadAudience(hub, member.channel), loadPostComposer(context, undefined)]);
  const form = postComposer(context, {
    action: "/network",
    audience,
    own,
    typed: undefined,
    fault: undefined,
    preview: undefined,
  });
  return step(context, say("account.post-title"), say("account.post-lead"), form);
}
