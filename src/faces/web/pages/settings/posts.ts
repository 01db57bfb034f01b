import {
  changeChannelSettings,
  moderation,
  quoters,
  readChannelSettings,
} from "../../../../domain/identity/channels/channel-settings.ts";
import { nameAuthorSites } from "../../../../domain/people/author-sites.ts";
import { featureTags } from "../../../../domain/people/featured-tags.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { alert, box, radios, textField, token } from "../../parts/forms.ts";
import { linkTo } from "../../languages/say.ts";

/** What others may do with the channel's posts, and how the channel posts itself. */
export const settingsPostsPages: Page[] = [
  { path: "/settings/posts", access: "member", onlyForm: true, get: (context) => page(context), post: save },
];

const mostDays = 365;

/** Whose comments wait, by the names of the choices. */
const moderations = ["nobody", "strangers", "everybody"] as const;

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      const moderated = moderations.find((one) => moderation[one] === typed.text("moderate"));
      if (moderated === undefined) throw fault("moderate", say("settings.choose-moderation"));
      const quoting = quoters.find((one) => one === typed.text("quoters"));
      if (!quoting) throw fault("quoters", say("settings.choose-quoters"));
      const newFor = typed.has("new_for") ? typed.number("new_for") : 0;
      if (newFor === undefined || newFor > mostDays)
        throw fault("new_for", say("settings.choose-days", { most: mostDays }));
      const changes = {
        newFor,
        moderation: moderation[moderated],
        quoters: quoting,
        refusesTags: !typed.has("tags"),
        keepsLists: typed.has("keep_lists"),
        refusesRepeats: typed.has("no_repeats"),
      };
      const uid = member.channel.channel_id;
      await featureTags(hub, uid, typed.text("featured_tags").split(/[\s,]+/));
      await nameAuthorSites(hub, uid, typed.text("author_sites").split(/[\s,]+/));
      await changeChannelSettings(hub, uid, changes);
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, typed, fault),
  );
}

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const { channel_id } = context.member.channel;
  const set = await readChannelSettings(context.hub, channel_id, [
    "moderation",
    "newFor",
    "quoters",
    "refusesTags",
    "keepsLists",
    "refusesRepeats",
    "featuredTags",
    "authorSites",
  ]);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.posts")}</h1>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${radios({ legend: say("settings.moderate-legend"), name: "moderate", value: set.moderation, choices: moderations.map((one) => [moderation[one], say(`settings.moderate-${one}`), say(`settings.moderate-${one}-hint`)] as const) })}
      <p class="hint">${say.html("settings.moderate-where", { moderation: linkTo("/moderate") })}</p>
      <fieldset>
        <legend>${say("items.from-strangers")}</legend>
        ${textField(context, { label: say("settings.new-for"), name: "new_for", type: "number", min: 0, max: mostDays, value: typed?.text("new_for") ?? String(set.newFor), hint: say.html("settings.new-for-hint", { strangers: linkTo("/moderate/strangers") }), required: true, fault })}
      </fieldset>
      ${radios({ legend: say("settings.quoters-legend"), name: "quoters", value: set.quoters, choices: quoters.map((one) => [one, say(`settings.quote-${one}`), say(`settings.quote-${one}-hint`)] as const) })}
      <p class="hint">${say("settings.quoters-hint")}</p>
      <fieldset>
        <legend>${say("settings.tags-legend")}</legend>
        ${box({ label: say("settings.readers-tag"), name: "tags", checked: !set.refusesTags })}
      </fieldset>
      <fieldset>
        <legend>${say("settings.write-about")}</legend>
        ${textField(context, { label: say("settings.tags"), name: "featured_tags", value: typed?.text("featured_tags") ?? set.featuredTags.map((tag) => `#${tag}`).join(" "), hint: say("settings.featured-hint"), fault })}
        ${textField(context, { label: say("settings.author-sites"), name: "author_sites", value: typed?.text("author_sites") ?? set.authorSites.join(" "), hint: say("settings.author-sites-hint"), fault })}
      </fieldset>
      <fieldset>
        <legend>${say("settings.writing")}</legend>
        ${box({ label: say("settings.keep-lists"), name: "keep_lists", checked: set.keepsLists, hint: say("settings.keep-lists-hint") })}
        ${box({ label: say("settings.no-repeats"), name: "no_repeats", checked: set.refusesRepeats, hint: say("settings.no-repeats-hint") })}
      </fieldset>
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>`;
  return show(context, { title: say("settings.posts"), main, status: fault?.status ?? 200 });
}
