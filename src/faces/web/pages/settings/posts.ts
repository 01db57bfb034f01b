import { html } from "hono/html";
import {
  changeChannelSettings,
  moderation,
  quoters,
  readChannelSettings,
} from "../../../../domain/identity/channels/channel-settings.ts";
import type { Quoters } from "../../../../domain/identity/channels/channel-settings.ts";
import { nameAuthorSites } from "../../../../domain/people/author-sites.ts";
import { featureTags } from "../../../../domain/people/featured-tags.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { MemberContext, Page } from "../../page.ts";
import { alert, box, radios, textField, token } from "../../parts/forms.ts";

/** What others may do with the channel's posts, and how the channel posts itself. */
export const settingsPostsPages: Page[] = [
  { path: "/settings/posts", access: "member", get: (context) => page(context), post: save },
];

const moderations = [
  [moderation.nobody, "Nobody's", "Whoever may comment is read at once."],
  [moderation.strangers, "Those of people who are no connections", "Comments of connections are read at once."],
  [moderation.everybody, "Everybody's", "You let in each comment."],
] as const;

const quoterChoices: readonly (readonly [Quoters, string, string])[] = [
  ["everybody", "Everybody", "Whoever sees the post may show it in one of theirs."],
  ["connections", "My connections", "Others have to ask you; their servers know that."],
  ["nobody", "Nobody", "Whoever wants to quote you links to the post."],
];

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    async () => {
      const moderated = moderations.find(([value]) => value === typed.text("moderate"));
      if (!moderated) throw fault("moderate", "Choose whose comments wait.");
      const quoting = quoters.find((one) => one === typed.text("quoters"));
      if (!quoting) throw fault("quoters", "Choose who may quote you.");
      const changes = {
        moderation: moderated[0],
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
  const { channel_id } = context.member.channel;
  const set = await readChannelSettings(context.hub, channel_id, [
    "moderation",
    "quoters",
    "refusesTags",
    "keepsLists",
    "refusesRepeats",
    "featuredTags",
    "authorSites",
  ]);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Posts and comments</h1>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${radios({ legend: "Whose comments wait for you", name: "moderate", value: set.moderation, choices: moderations })}
      <p class="hint">
        They wait under <a href="/moderate">Moderation</a>. Likes and other reactions never wait, but for people of
        other servers who join an event.
      </p>
      ${radios({ legend: "Who may quote my public posts", name: "quoters", value: set.quoters, choices: quoterChoices })}
      <p class="hint">A post can say something else when you write it.</p>
      <fieldset>
        <legend>Tags</legend>
        ${box({ label: "Readers may add tags to my posts", name: "tags", checked: !set.refusesTags })}
      </fieldset>
      <fieldset>
        <legend>What I write about</legend>
        ${textField(context, { label: "Hashtags", name: "featured_tags", value: typed?.text("featured_tags") ?? set.featuredTags.map((tag) => `#${tag}`).join(" "), hint: "At most ten. Other servers show them on your page.", fault })}
        ${textField(context, { label: "Sites that may name me as their author", name: "author_sites", value: typed?.text("author_sites") ?? set.authorSites.join(" "), hint: "Where a page of such a site is shown in a post on Mastodon, your name stands there too. For example: blog.example.org", fault })}
      </fieldset>
      <fieldset>
        <legend>Writing</legend>
        ${box({ label: "Private mentions add to the audience", name: "keep_lists", checked: set.keepsLists, hint: "Without this, the first @!mention of a post replaces the people and groups that you chose." })}
        ${box({ label: "Refuse the same text twice within two minutes", name: "no_repeats", checked: set.refusesRepeats, hint: "Helps with programs that send the same post twice." })}
      </fieldset>
      <p class="submit"><button class="button primary">Save</button></p>
    </form>`;
  return show(context, { title: "Posts and comments", main, status: fault?.status ?? 200 });
}
