import { findVisibleItem } from "../../../../domain/items/find.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { visibleThread } from "../../../../domain/items/timelines/thread.ts";
import { findTalk, removeTalk, setTalkSeen } from "../../../../domain/messages/messages.ts";
import type { TalkName } from "../../../../domain/messages/messages.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import { redirect, show, showPart } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { withParameter } from "../../local-path.ts";
import type { MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { anchorOf, displayPath, threadOf } from "../../parts/item-paths.ts";
import { mediaIdsOf } from "../../parts/items/chosen-media.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { bubbles, itemBubble, takeMessage, talkForm } from "../../parts/messages/messages.ts";
import { namesOf } from "../../parts/messages/people.ts";
import { beforeOf } from "../../parts/pager.ts";

/** A direct thread as a conversation: what is said to a few, here or by an application. */
export const talkPages: Page[] = [
  {
    path: "/mail/talk/:id",
    access: "member",
    get: (context) => page(context),
    post: answer,
    again: (context, typed, fault) => page(context, { typed, fault }),
    files: ["media"],
  },
  { path: "/mail/talk/:id/delete", access: "member", onlyForm: true, get: confirm, post: remove },
];

function talkOf({ params }: MemberContext): TalkName {
  return { kind: "thread", id: idOf(params["id"]) };
}

async function page(context: MemberContext, state: ComposerState = {}): Promise<Response> {
  const { hub, member, observer, say } = context;
  const talk = await findTalk(hub, member.channel, talkOf(context));
  const items = await visibleThread(hub, observer, { id: talk.id }, beforeOf(context));
  const [top, ...answers] = items;
  const [feed, people] = await Promise.all([loadFeed(context, items), loadUsers(hub, observer, talk.people)]);
  const older = answers.length + 1 < (feed.comments.get(top.id) ?? 0) + 1 ? answers[0]?.id : undefined;
  const names = namesOf(say, people, talk.people);
  const main = html`<p class="crumbs"><a href="/mail">${say("messages.title")}</a></p>
    <div class="title-row">
      <h1>${names}</h1>
      <a href="${displayPath(context, top)}">${say("messages.as-post")}</a>
      <a class="danger-link" href="${context.path}/delete">${say("messages.delete-conversation")}</a>
    </div>
    <section class="thread talk" id="${threadOf(top)}">
      ${older === undefined ? "" : html`<p class="pager"><a class="button" href="${withParameter(context.path, "before", String(older))}">${say("messages.older")}</a></p>`}
      ${bubbles(
        say,
        items.map((item) => itemBubble(context, feed, item)),
      )}
    </section>
    ${context.query.has("before") ? html`<p class="pager"><a class="button" href="${context.path}">${say("messages.newest")}</a></p>` : ""}
    ${await talkForm(context, say("messages.answer", { name: names }), state)}`;
  await setTalkSeen(hub, member.channel, talkOf(context), true);
  return show(context, {
    title: say("messages.messages-with", { name: names }),
    main,
    status: state.fault?.status ?? 200,
  });
}

function answer(context: MemberContext, sent: Fields): Promise<Response> {
  const { hub, member } = context;
  return takeMessage(context, sent, {
    async send(typed) {
      const { id } = await findTalk(hub, member.channel, talkOf(context));
      const top = await findVisibleItem(hub, context.observer, { id });
      const words = { body: typed.text("body"), mediaIds: mediaIdsOf(typed), sharesFiles: true };
      const said = await postItem(hub, member.channel, { ...words, parent: { mid: top.mid } });
      if (!context.inPlace) return redirect(context, `${context.path}#${anchorOf(said)}`, "sent");
      const item = await findVisibleItem(hub, context.observer, { id: said.id });
      const feed = await loadFeed(context, [item]);
      return showPart(
        context,
        html`<ol>
          ${itemBubble(context, feed, item)}
        </ol>`,
        "sent",
      );
    },
    again: (typed, more) => page(context, { typed, ...more }),
  });
}

async function confirm(context: MemberContext): Promise<Response> {
  const { say } = context;
  await findTalk(context.hub, context.member.channel, talkOf(context));
  return deleteQuestion(context, {
    question: say("messages.delete-question"),
    consequence: say("messages.delete-talk-means"),
    wayBack: `/mail/talk/${talkOf(context).id}`,
  });
}

async function remove(context: MemberContext): Promise<Response> {
  await removeTalk(context.hub, context.member.channel, talkOf(context));
  return redirect(context, "/mail", "deleted");
}
