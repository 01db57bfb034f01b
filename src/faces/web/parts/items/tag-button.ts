import { withParameter } from "../../local-path.ts";
import type { Html, PageContext } from "../../page.ts";
import { buttonForm } from "../forms.ts";
import { unseen } from "../../languages/say.ts";

/** The page with the posts that have a hashtag. */
export function tagPath(tag: string): string {
  return `/search?tag=${encodeURIComponent(tag)}`;
}

/** Follows a hashtag, or ends that; the same page comes back. */
export function tagButton(context: PageContext, tag: string, isFollowed: boolean): Html {
  const { say } = context;
  const values = { tag, unseen };
  const fields = { tag, back: withParameter(context.here, "done", "") };
  return isFollowed
    ? buttonForm(context, "/settings/tags/unfollow", say.html("items.unfollow-tag", values), { fields })
    : buttonForm(context, "/settings/tags", say.html("items.follow-tag", values), {
        fields,
        kind: "primary",
      });
}
