import { moveAll, removeAll } from "../../../../domain/cloud/change.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { redirect } from "../../answers.ts";
import { fault } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, PageContext } from "../../page.ts";
import { deleteQuestion } from "../delete-question.ts";
import { alert, token } from "../forms.ts";
import { folderChoices } from "./folder-choices.ts";

/** The list of a directory with a form that does something with those of its entries that are ticked, or drawn onto a folder (hub-files.js). */
export async function withChosen(context: PageContext, owner: Channel, list: Html, wrong?: Fault): Promise<Html> {
  const { say } = context;
  const folders = await folderChoices(context, owner.channel_id);
  return html`<hub-files
    >${list}
    <form class="with-chosen" id="chosen" method="post" action="${context.path}">
      ${token(context)} ${alert(wrong)}
      <div class="submit" role="group" aria-label="${say("files.with-chosen")}">
        <label for="f-to">${say("files.with-chosen")}</label>
        <select id="f-to" name="to" aria-label="${say("files.move-to")}">
          ${folders.map(([hash, name]) => html`<option value="${hash}">${name}</option>`)}
        </select>
        <button class="button" name="do" value="move">${say("files.move")}</button>
        <button class="button danger" name="do" value="delete">${say("forms.delete")}</button>
      </div>
    </form></hub-files
  >`;
}

/** Does what the pressed button of that form says; what is deleted is asked for first. Throws invalid where nothing is chosen. */
export async function takeChosen(context: MemberContext, owner: Channel, typed: Fields): Promise<Response> {
  const { hub, member, path, say } = context;
  const hashes = [...new Set(typed.all("chosen"))].slice(0, mostChosen);
  if (hashes.length === 0) throw fault("chosen", say("files.choose-some"));
  if (typed.text("do") === "move") {
    await moveAll(hub, member.channel, owner, hashes, typed.word("to"));
    return redirect(context, path, "saved");
  }
  if (!typed.has("sure")) return question(context, hashes);
  await removeAll(hub, member.channel, owner, hashes);
  return redirect(context, path, "deleted");
}

/** A page of a directory shows no more. */
const mostChosen = 200;

function question(context: MemberContext, hashes: readonly string[]): Promise<Response> {
  const { say, path } = context;
  return deleteQuestion(context, {
    question: say("files.delete-chosen", { count: hashes.length }),
    consequence: say("files.delete-chosen-means"),
    wayBack: path,
    fields: html`<input type="hidden" name="do" value="delete" /><input
        type="hidden"
        name="sure"
        value="1"
      />${hashes.map((hash) => html`<input type="hidden" name="chosen" value="${hash}" />`)}`,
  });
}
