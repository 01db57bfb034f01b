import { findVisibleItem } from "../../../../domain/items/find.ts";
import { vote } from "../../../../domain/items/posting/vote.ts";
import { redirect, showPart } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { localPath } from "../../local-path.ts";
import { doneHere } from "../../live/done-here.ts";
import type { MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { pollPart } from "../../parts/items/poll.ts";
import { anchorOf, displayPath } from "../../parts/item-paths.ts";

/** The form of a poll. */
export const itemVotePages: Page[] = [{ path: "/item/:id/vote", access: "member", post: takeVote }];

async function takeVote(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member, observer, params } = context;
  const ref = { id: idOf(params["id"]) };
  const item = await findVisibleItem(hub, observer, ref);
  // What is decided together stands below its words as well, which the answer does not bring.
  await vote(item.item_consensus === 1 ? hub : doneHere(context), member.channel, ref, form.all("choice").map(idOf));
  if (context.inPlace) {
    const voted = await findVisibleItem(hub, observer, ref);
    return showPart(context, pollPart(context, await loadFeed(context, [voted]), voted), "voted");
  }
  const way = localPath(form.text("back"), displayPath(context, item)).replace(/#.*$/, "");
  return redirect(context, `${way}#${anchorOf(item)}`, "voted");
}
