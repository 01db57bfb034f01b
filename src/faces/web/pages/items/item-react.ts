import { findVisibleItem } from "../../../../domain/items/find.ts";
import { react } from "../../../../domain/items/posting/react.ts";
import { reactionWith } from "../../../../domain/items/vocabulary.ts";
import { redirect, show } from "../../answers.ts";
import { fault as faultIn, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, textField, token } from "../../parts/forms.ts";
import { anchorOf, displayPath } from "../../parts/item-paths.ts";

/** A reaction with any emoji, typed or pasted: for whoever has no picker (assets/elements/hub-emoji.js). */
export const itemReactPages: Page[] = [
  { path: "/item/:id/react", access: "member", onlyForm: true, get: (context) => form(context), post: take },
];

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  const ref = { id: idOf(context.params["id"]) };
  return tryForm(
    context,
    async () => {
      const name = reactionWith(typed.word("emoji"));
      if (name === undefined) throw faultIn("emoji", context.say("composer.one-emoji"));
      const item = await findVisibleItem(context.hub, context.observer, ref);
      await react(context.hub, context.member.channel, ref, name, "stays");
      return redirect(context, `${displayPath(context, item)}#${anchorOf(item)}`);
    },
    (fault) => form(context, typed, fault),
  );
}

async function form(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const item = await findVisibleItem(context.hub, context.observer, { id: idOf(context.params["id"]) });
  const { say } = context;
  const title = say("composer.react-title");
  const main = html`<section class="card form-page">
    <h1>${title}</h1>
    <form method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("composer.emoji"), name: "emoji", value: typed?.text("emoji") ?? "", hint: say("composer.emoji-hint"), required: true, autofocus: true, fault })}
      <p class="submit">
        <button class="button primary">${say("composer.react")}</button>
        <a href="${displayPath(context, item)}">${say("composer.back")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title, main, status: fault?.status ?? 200 });
}
