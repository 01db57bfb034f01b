import { show } from "../../answers.ts";
import { checkToken, memberToken, tokenField } from "../../csrf.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { withParameter } from "../../local-path.ts";
import type { Html, Member, MemberContext, Page, PageContext } from "../../page.ts";
import { alert, token } from "../../parts/forms.ts";
import { credentialForm, credentialNames, enter } from "./log-in.ts";

/**
 * A form that comes after its log-in has ended: nothing is done with it. What was typed waits on a log-in page, and whoever
 * logs in there finds it in the form that it came from, to be sent with a press of its button.
 */

/** Says that a form comes from this log-in page. */
const mark = "log_in_again";
const notTyped = new Set([tokenField, mark, ...credentialNames]);
const wordFields = ["body", "description", "summary", "title"] as const;

/** Has somebody written something into this form? */
export function hasWords(form: Fields): boolean {
  return wordFields.some((name) => form.word(name) !== "");
}

/** Why a form stands there once more with what was typed. */
export function unsent({ say }: PageContext, { files = [] }: Page, why: string, status: number): Fault {
  const sentences = [why, say("account.look-over"), ...(files.length > 0 ? [say("account.files-again")] : [])];
  return { field: "", sentence: sentences.join(" "), status, retryAfter: undefined };
}

/** The log-in page that keeps what was typed; with the right password, the form itself. */
export function logInAgain(context: PageContext, page: Page, form: Fields): Promise<Response> {
  if (!form.has(mark)) return ask(context, form);
  checkToken(context.formToken, form);
  return enter(context, form, {
    entered: (member) => {
      const why = context.say("account.logged-in-again", { nick: member.channel.channel_address });
      return page.again!(asMember(context, member), form, unsent(context, page, why, 200));
    },
    ask: (form, fault) => ask(context, form, fault),
  });
}

function asMember(context: PageContext, member: Member): MemberContext {
  const { observer } = member;
  return {
    ...context,
    member,
    observer,
    guest: undefined,
    formToken: memberToken(member),
    visitorCookie: undefined,
  };
}

async function ask(context: PageContext, form: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const main = html`<section class="card form-page">
      <h1>${say("account.log-in")}</h1>
      <p class="lead">${say("account.not-sent")}</p>
      <form method="post" action="${withParameter(context.here, "done", "")}#fault">
        ${token(context)} ${alert(fault)} <input type="hidden" name="${mark}" value="1" />
        ${[...form.entries()].filter(([name]) => !notTyped.has(name)).map(hidden)}
        ${await credentialForm(context, form, fault)}
      </form>
    </section>
    ${written(context, form)}`;
  return show(context, { title: say("account.log-in"), main, status: fault?.status ?? 403 });
}

function hidden([name, value]: [string, string]): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** For those who would rather copy it. */
function written({ say }: PageContext, form: Fields): Html {
  const name = wordFields.find((name) => form.word(name) !== "") ?? "body";
  return html`<section class="card form-page">
    <div class="field">
      <label for="written">${say("account.written")}</label>
      <textarea id="written" rows="4" readonly>${form.text(name)}</textarea>
    </div>
  </section>`;
}
