import { html } from "hono/html";
import { isAdministrator } from "../../../../domain/identity/accounts/accounts.ts";
import { choose, mailWays, readChoices } from "../../../../domain/notifications/choices.ts";
import type { Choices, Ways } from "../../../../domain/notifications/choices.ts";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { noticeTopics } from "../../../../domain/notifications/kinds.ts";
import type { NoticeTopic } from "../../../../domain/notifications/kinds.ts";
import { recordOf } from "../../../../record-of.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, token } from "../../parts/forms.ts";

/** Of what the member is told, and how: a row for each topic, a column for each way. */
export const settingsNoticesPages: Page[] = [
  { path: "/settings/notices", access: "member", get: (context) => page(context), post: save },
];

const topics: Readonly<Record<NoticeTopic, string>> = {
  comment: "Somebody comments where you take part",
  mention: "Somebody mentions you",
  wall: "Somebody writes on your wall",
  reaction: "Likes and other reactions",
  share: "Somebody shares your post",
  tag: "Somebody tags your post",
  mail: "Somebody sends you a message",
  request: "Somebody would like to connect",
  connection: "You are connected with somebody",
  held: "Comments wait for you",
  "sign-up": "Somebody would like to join the hub",
};

/** Of sign-ups those are told who decide about them. */
function topicsOf({ member }: MemberContext): NoticeTopic[] {
  return noticeTopics.filter((topic) => topic !== "sign-up" || isAdministrator(member.account));
}

async function page(context: MemberContext, typed?: Choices, wrong?: Fault): Promise<Response> {
  const choices = typed ?? (await readChoices(context.hub, context.member.channel.channel_id));
  const mails = sendsMail(context.hub);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Notices</h1>
    <p class="lead">What you are told of, and how.</p>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(wrong)}
      <table class="choices">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">On the page</th>
            ${mails ? html`<th scope="col">By mail</th>` : ""}
          </tr>
        </thead>
        <tbody>
          ${topicsOf(context).map((topic) => row(topic, choices[topic], mails))}
        </tbody>
      </table>
      <p class="hint">
        On the page means under <a href="/notifications">Notices</a>, and in apps that list them.
        ${mails ? html`Mails go to ${context.member.account.account_email}; what you have seen before is not mailed.` : ""}
        What you have chosen applies to what comes from now on.
      </p>
      <p class="submit"><button class="button primary">Save</button></p>
    </form>`;
  return show(context, { title: "Notices", main, status: wrong?.status ?? 200 });
}

const mailLabels: Readonly<Record<Ways["mail"], string>> = { never: "No", once: "At once", digest: "Once a day" };

function row(topic: NoticeTopic, ways: Ways, mails: boolean): Html {
  const words = topics[topic];
  return html`<tr>
    <th scope="row" id="t-${topic}">${words}</th>
    <td>
      <label
        ><input type="checkbox" name="${topic}_page" value="1" ${ways.page ? "checked" : ""} /><span class="way"
          >On the page<span class="unseen">: ${words}</span></span
        ></label
      >
    </td>
    ${
      mails
        ? html`<td>
            <label
              ><span class="way">By mail<span class="unseen">: ${words}</span></span
              ><select name="${topic}_mail">
                ${mailWays.map((way) => html`<option value="${way}" ${way === ways.mail ? "selected" : ""}>${mailLabels[way]}</option>`)}
              </select></label
            >
          </td>`
        : ""
    }
  </tr>`;
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { channel_id } = context.member.channel;
  const before = await readChoices(context.hub, channel_id);
  const offered = topicsOf(context);
  const choices = recordOf(noticeTopics, (topic) =>
    offered.includes(topic) ? waysIn(typed, topic, before[topic]) : before[topic],
  );
  return tryForm(
    async () => {
      for (const topic of noticeTopics)
        if (typed.has(`${topic}_mail`) && !mailWays.some((way) => way === typed.text(`${topic}_mail`)))
          throw fault(`${topic}_mail`, "Choose whether mails come at once, once a day or never.");
      await choose(context.hub, channel_id, choices);
      return redirect(context, context.path, "saved");
    },
    (wrong) => page(context, choices, wrong),
  );
}

/** Ways that the form did not offer stay as they were. */
function waysIn(typed: Fields, topic: NoticeTopic, before: Ways): Ways {
  return {
    page: typed.has(`${topic}_page`),
    push: before.push,
    mail: mailWays.find((way) => way === typed.text(`${topic}_mail`)) ?? before.mail,
  };
}
