import { followTag, listFollowedTags, unfollowTag } from "../../../../domain/items/followed-tags.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { localPath } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, textField, token } from "../../parts/forms.ts";
import { tagButton, tagPath } from "../../parts/items/tag-button.ts";

/** The hashtags that the member follows, and the forms by which they begin and end that. */
export const settingsTagsPages: Page[] = [
  { path: "/settings/tags", access: "member", get: (context) => page(context), post: follow },
  { path: "/settings/tags/unfollow", access: "member", post: unfollow },
];

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { say } = context;
  const tags = await listFollowedTags(context.hub, context.member.channel.channel_id);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.tags")}</h1>
    <p class="lead">${say("settings.tags-lead")}</p>
    <form class="card form-page" method="post" action="/settings/tags">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: say("settings.hashtag"), name: "tag", value: typed?.text("tag") ?? "", required: true, fault: wrong })}
      <p class="submit"><button class="button primary">${say("settings.follow")}</button></p>
    </form>
    ${
      tags.length > 0
        ? html`<ul class="card people" aria-label="${say("settings.followed-tags")}">
            ${tags.map(({ term }) => row(context, term))}
          </ul>`
        : html`<p class="empty">${say("settings.tags-none")}</p>`
    }`;
  return show(context, { title: say("settings.tags"), main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, tag: string): Html {
  return html`<li class="person">
    <div class="person-words"><a class="name" href="${tagPath(tag)}">#${tag}</a></div>
    <div class="person-actions">${tagButton(context, tag, true)}</div>
  </li>`;
}

async function follow(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await followTag(context.hub, context.member.channel, typed.text("tag"));
      return redirect(context, localPath(typed.text("back"), "/settings/tags"), "tagfollowed");
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function unfollow(context: MemberContext, form: Fields): Promise<Response> {
  await unfollowTag(context.hub, context.member.channel, form.text("tag"));
  return redirect(context, localPath(form.text("back"), "/settings/tags"), "tagleft");
}
