import { isAdministrator } from "../../../../domain/identity/accounts/accounts.ts";
import { choose, mailWays, readChoices } from "../../../../domain/notifications/choices.ts";
import type { Choices, Ways } from "../../../../domain/notifications/choices.ts";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { administratorTopics, noticeTopics } from "../../../../domain/notifications/kinds.ts";
import type { NoticeTopic } from "../../../../domain/notifications/kinds.ts";
import { changePolicy, policyCases, policyRules, readPolicy } from "../../../../domain/notifications/policy.ts";
import type { NoticePolicy, PolicyCase, PolicyRule } from "../../../../domain/notifications/policy.ts";
import { digestOf } from "../../../../domain/identity/secrets.ts";
import { subscribe, unsubscribe } from "../../../../domain/push/subscriptions.ts";
import { recordOf } from "../../../../record-of.ts";
import { redirect, show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, choice, token } from "../../parts/forms.ts";
import { pushHere, pushHerePath } from "../../parts/settings/push-here.ts";
import type { Say } from "../../languages/say.ts";

const home = "/settings/notices";

/** Of what the member is told, and how: a row for each topic, a column for each way; and whose notices are held back. */
export const settingsNoticesPages: Page[] = [
  { path: home, access: "member", onlyForm: true, get: (context) => page(context), post: save },
  { path: pushHerePath, access: "member", post: startHere },
  { path: `${pushHerePath}/end`, access: "member", post: endHere },
];

function topicsOf({ member }: MemberContext): NoticeTopic[] {
  return noticeTopics.filter((topic) => !administratorTopics.includes(topic) || isAdministrator(member.account));
}

/** Tells the browser that asks from now on; what of, the choices say. */
function startHere(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, acceptLanguage: language } = context;
  return tryForm(
    context,
    async () => {
      const { endpoint, p256dh, auth } = {
        endpoint: typed.word("endpoint"),
        p256dh: typed.word("p256dh"),
        auth: typed.word("auth"),
      };
      const device = { endpoint, p256dh, auth, standard: true, alerts: {}, policy: "all", language } as const;
      await subscribe(hub, { session: digestOf(member.token) }, member.channel.channel_id, device);
      return redirect(context, home, "push-on");
    },
    (wrong) => page(context, undefined, wrong, "browser"),
  );
}

async function endHere(context: MemberContext): Promise<Response> {
  await unsubscribe(context.hub, { session: digestOf(context.member.token) });
  return redirect(context, home, "push-off");
}

type Typed = { choices: Choices; policy: NoticePolicy };

async function page(context: MemberContext, typed?: Typed, fault?: Fault, of?: "browser"): Promise<Response> {
  const wrong = of === "browser" ? undefined : fault;
  const { choices, policy } = typed ?? (await chosen(context));
  const { say } = context;
  const mails = sendsMail(context.hub);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.notices")}</h1>
    <p class="lead">${say("settings.notices-lead")}</p>
    <form class="card form-page" method="post" action="${home}">
      ${token(context)} ${alert(wrong)}
      <table class="choices">
        <thead>
          <tr>
            <th scope="col">${say("settings.when")}</th>
            <th scope="col">${say("settings.on-page")}</th>
            <th scope="col">${say("notices.by-push")}</th>
            ${mails ? html`<th scope="col">${say("settings.by-mail")}</th>` : ""}
          </tr>
        </thead>
        <tbody>
          ${topicsOf(context).map((topic) => row(say, topic, choices[topic], mails))}
        </tbody>
      </table>
      <p class="hint">
        ${say.html("settings.on-page-means", { notices: linkTo("/notifications") })} ${say("notices.by-push-means")}
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
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>
    ${pushHere(context, of === "browser" ? fault : undefined)}`;
  return show(context, { title: say("settings.notices"), main, status: fault?.status ?? 200 });
}

function row(say: Say, topic: NoticeTopic, ways: Ways, mails: boolean): Html {
  const words = say(`settings.topic-${topic}`);
  return html`<tr>
    <th scope="row" id="t-${topic}">${words}</th>
    ${tick(`${topic}_page`, ways.page, say("settings.on-page"), words)}
    ${tick(`${topic}_push`, ways.push, say("notices.by-push"), words)}
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

function tick(name: string, on: boolean, way: string, words: string): Html {
  return html`<td>
    <label
      ><input type="checkbox" name="${name}" value="1" ${on ? "checked" : ""} /><span class="way"
        >${way}<span class="unseen">: ${words}</span></span
      ></label
    >
  </td>`;
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
    push: typed.has(`${topic}_push`),
    mail: mailWays.find((way) => way === typed.text(`${topic}_mail`)) ?? before.mail,
  };
}
