import { html } from "hono/html";
import { isAdministrator } from "../../../../domain/identity/accounts/accounts.ts";
import { choose, mailWays, readChoices } from "../../../../domain/notifications/choices.ts";
import type { Choices, Ways } from "../../../../domain/notifications/choices.ts";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { administratorTopics, noticeTopics } from "../../../../domain/notifications/kinds.ts";
import type { NoticeTopic } from "../../../../domain/notifications/kinds.ts";
import { changePolicy, policyCases, policyRules, readPolicy } from "../../../../domain/notifications/policy.ts";
import type { NoticePolicy, PolicyCase, PolicyRule } from "../../../../domain/notifications/policy.ts";
import { recordOf } from "../../../../record-of.ts";
import { redirect, show } from "../../answers.ts";
import { linkTo } from "../../languages/say.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, choice, token } from "../../parts/forms.ts";
import type { Say } from "../../languages/say.ts";

/** Of what the member is told, and how: a row for each topic, a column for each way; and whose notices are held back. */
export const settingsNoticesPages: Page[] = [
  { path: "/settings/notices", access: "member", get: (context) => page(context), post: save },
];

function topicsOf({ member }: MemberContext): NoticeTopic[] {
  return noticeTopics.filter((topic) => !administratorTopics.includes(topic) || isAdministrator(member.account));
}

type Typed = { choices: Choices; policy: NoticePolicy };

async function page(context: MemberContext, typed?: Typed, wrong?: Fault): Promise<Response> {
  const { choices, policy } = typed ?? (await chosen(context));
  const { say } = context;
  const mails = sendsMail(context.hub);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.notices")}</h1>
    <p class="lead">${say("settings.notices-lead")}</p>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(wrong)}
      <table class="choices">
        <thead>
          <tr>
            <th scope="col">${say("settings.when")}</th>
            <th scope="col">${say("settings.on-page")}</th>
            ${mails ? html`<th scope="col">${say("settings.by-mail")}</th>` : ""}
          </tr>
        </thead>
        <tbody>
          ${topicsOf(context).map((topic) => row(say, topic, choices[topic], mails))}
        </tbody>
      </table>
      <p class="hint">
        ${say.html("settings.on-page-means", { notices: linkTo("/notifications") })}
        ${mails ? say("settings.mails-to", { email: context.member.account.account_email }) : ""}
        ${say("settings.notices-from-now")}
      </p>
      <fieldset id="strangers">
        <legend>${say("notices.strangers")}</legend>
        <p class="hint">${say.html("notices.strangers-hint", { held: linkTo("/notifications/filtered") })}</p>
        ${policyCases.map((one) =>
          choice(context, {
            label: say(`notices.from-${one}`),
            name: `from_${one}`,
            value: policy[one],
            choices: policyRules.map((rule) => [rule, say(`notices.rule-${rule}`)] as const),
            fault: wrong,
          }),
        )}
      </fieldset>
      <p class="submit"><button class="button primary">${say("settings.save")}</button></p>
    </form>`;
  return show(context, { title: say("settings.notices"), main, status: wrong?.status ?? 200 });
}

function row(say: Say, topic: NoticeTopic, ways: Ways, mails: boolean): Html {
  const words = say(`settings.topic-${topic}`);
  return html`<tr>
    <th scope="row" id="t-${topic}">${words}</th>
    <td>
      <label
        ><input type="checkbox" name="${topic}_page" value="1" ${ways.page ? "checked" : ""} /><span class="way"
          >${say("settings.on-page")}<span class="unseen">: ${words}</span></span
        ></label
      >
    </td>
    ${
      mails
        ? html`<td>
            <label
              ><span class="way">${say("settings.by-mail")}<span class="unseen">: ${words}</span></span
              ><select name="${topic}_mail">
                ${mailWays.map((way) => html`<option value="${way}" ${way === ways.mail ? "selected" : ""}>${say(`settings.mail-${way}`)}</option>`)}
              </select></label
            >
          </td>`
        : ""
    }
  </tr>`;
}

async function chosen({ hub, member }: MemberContext): Promise<Typed> {
  const { channel_id } = member.channel;
  return { choices: await readChoices(hub, channel_id), policy: await readPolicy(hub, channel_id) };
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { say } = context;
  const { channel_id } = context.member.channel;
  const { choices: before, policy: known } = await chosen(context);
  const offered = topicsOf(context);
  const policy = recordOf(policyCases, (one) => ruleIn(typed, one) ?? known[one]);
  const choices = recordOf(noticeTopics, (topic) =>
    offered.includes(topic) ? waysIn(typed, topic, before[topic]) : before[topic],
  );
  return tryForm(
    context,
    async () => {
      for (const topic of noticeTopics)
        if (typed.has(`${topic}_mail`) && !mailWays.some((way) => way === typed.text(`${topic}_mail`)))
          throw fault(`${topic}_mail`, say("settings.choose-mail-way"));
      for (const one of policyCases)
        if (typed.has(`from_${one}`) && !ruleIn(typed, one))
          throw fault(`from_${one}`, context.say("notices.rule-needed"));
      await choose(context.hub, channel_id, choices);
      await changePolicy(context.hub, channel_id, policy);
      return redirect(context, context.path, "saved");
    },
    (wrong) => page(context, { choices, policy }, wrong),
  );
}

function ruleIn(typed: Fields, one: PolicyCase): PolicyRule | undefined {
  return policyRules.find((rule) => rule === typed.text(`from_${one}`));
}

/** Ways that the form did not offer stay as they were. */
function waysIn(typed: Fields, topic: NoticeTopic, before: Ways): Ways {
  return {
    page: typed.has(`${topic}_page`),
    push: before.push,
    mail: mailWays.find((way) => way === typed.text(`${topic}_mail`)) ?? before.mail,
  };
}
