import { show } from "../../answers.ts";
import { checkToken, memberToken, tokenField } from "../../csrf.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { withParameter } from "../../local-path.ts";
import type { Member, MemberContext, Page, PageContext } from "../../page.ts";
import { unseenFields, written } from "../../parts/account/kept-writing.ts";
import { alert, token } from "../../parts/forms.ts";
import { credentialForm, credentialNames, enter } from "./log-in.ts";

/**
 * A form that comes after its log-in has ended: nothing is done with it. What was typed waits on a log-in page, and whoever
 * logs in there finds it in the form that it came from, to be sent with a press of its button.
 */

/** Says that a form comes from this log-in page. */
const mark = "log_in_again";
const notTyped = new Set([tokenField, mark, ...credentialNames]);

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
        ${unseenFields(form, notTyped)} ${await credentialForm(context, form, fault)}
      </form>
    </section>
    ${written(context, form)}`;
  return show(context, { title: say("account.log-in"), main, status: fault?.status ?? 403 });
}
