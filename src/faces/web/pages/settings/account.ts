import { setLanguage, setPassword } from "../../../../domain/identity/accounts/accounts.ts";
import { needsSecondFactor } from "../../../../domain/identity/accounts/log-in.ts";
import { accesses } from "../../../../domain/identity/accounts/end-access.ts";
import { endAccessOf, listGrantedAccess } from "../../../../domain/identity/applications/granted-access.ts";
import { listPasskeys } from "../../../../domain/identity/factors/passkeys.ts";
import { countPlaces } from "../../../../domain/identity/accounts/outgoing-places.ts";
import type { Places } from "../../../../domain/identity/accounts/outgoing-places.ts";
import { endSessionOf, listSessions } from "../../../../domain/identity/accounts/sessions.ts";
import type { ListedSession } from "../../../../domain/identity/accounts/sessions.ts";
import { tell } from "../../../../domain/recovery/told.ts";
import { redirect, show } from "../../answers.ts";
import { fault as faultOf, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { languagesOf } from "../../languages/languages.ts";
import { passwordChanged } from "../../mails/new-password.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { applicationRow } from "../../parts/account/application-row.ts";
import { alert, box, buttonForm, choice, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { time } from "../../parts/times.ts";
import { startSession } from "../../session.ts";
import { linkTo, unseen } from "../../languages/say.ts";

const home = "/settings/account";

/** The account behind the channels, and whatever lets in to it. */
export const settingsAccountPages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context), post: save },
  { path: `${home}/language`, access: "member", whileMoved: true, post: chooseLanguage },
  { path: `${home}/sessions`, access: "member", whileMoved: true, post: endOne },
  { path: `${home}/applications`, access: "member", whileMoved: true, post: revoke },
];

/** Whoever finds an open browser must not be able to keep the account: the old password is asked for, and throttled. */
async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed, "old_password");
      const keep = accesses.filter((access) => typed.has(`keep_${access}`));
      const { account_id: id, account_email: email } = member.account;
      const account = await setPassword(hub, id, typed.text("password"), keep, async (hub) => {
        const paused = keep.includes("places") ? undefined : await countPlaces(hub, id);
        await tell(hub, email, passwordChanged(context.say, paused));
      });
      await startSession(context, { ...member, account });
      return redirect(context, context.path, "password");
    },
    (fault) => page(context, fault),
  );
}

async function chooseLanguage(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  const language = typed.word("language");
  if (language !== "" && !languagesOf(hub).has(language)) throw faultOf("language", say("settings.language-unknown"));
  await setLanguage(hub, member.account.account_id, language);
  return redirect(context, home, "saved");
}

async function endOne(context: MemberContext, typed: Fields): Promise<Response> {
  await endSessionOf(context.hub, context.member.account.account_id, typed.word("end"));
  return redirect(context, home, "ended");
}

async function revoke(context: MemberContext, typed: Fields): Promise<Response> {
  await endAccessOf(context.hub, context.member.account.account_id, typed.word("remove"));
  return redirect(context, home, "revoked");
}

async function page(context: MemberContext, fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const [sessions, tokens, passkeys, places, paused] = await Promise.all([
    listSessions(hub, member.account.account_id, member.token),
    listGrantedAccess(hub, member.account.account_id),
    listPasskeys(hub, member.account.account_id),
    countPlaces(hub, member.account.account_id),
    countPlaces(hub, member.account.account_id, "paused"),
  ]);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.account")}</h1>
    <section class="card">
      <dl class="facts">
        <div>
          <dt>${say("account.email")}</dt>
          <dd>
            ${say.html("security.address-now", { email: member.account.account_email, change: linkTo(`${home}/address`) })}
          </dd>
        </div>
        <div>
          <dt>${say("security.second-factor")}</dt>
          <dd>
            ${say.html(needsSecondFactor(member.account) ? "security.factor-on" : "security.factor-off", { change: linkTo(`${home}/second-factor`) })}
          </dd>
        </div>
        <div>
          <dt>${say("security.passkeys")}</dt>
          <dd>
            <a href="${home}/passkeys"
              >${passkeys.length === 0 ? say("security.add-one") : say("security.devices", { count: passkeys.length })}</a
            >
          </dd>
        </div>
      </dl>
    </section>
    ${pausedPlaces(context, paused)} ${languageForm(context)} ${passwordForm(context, places, fault)}
    <h2 class="section-title">${say("security.logged-in-where")}</h2>
    <ul class="card people">
      ${sessions.map((session) => sessionRow(context, session))}
    </ul>
    <h2 class="section-title">${say("security.applications")}</h2>
    ${
      tokens.length === 0
        ? html`<p class="empty">${say("security.applications-none")}</p>`
        : html`<ul class="card people">
            ${tokens.map((one) => applicationRow(context, `${home}/applications`, one))}
          </ul>`
    }
    <h2 class="section-title">${say("security.the-end")}</h2>
    <p>
      <a href="/uexport">${say("security.take-along")}</a> ·
      <a href="/settings/channel/remove">${say("security.remove-channel", { name: member.channel.channel_name })}</a> ·
      <a href="${home}/delete">${say("security.delete-everything")}</a>
    </p>`;
  return show(context, { title: say("settings.account"), main, status: fault?.status ?? 200 });
}

function sessionRow(context: MemberContext, { id, browser, created, used, isThis, isTold }: ListedSession): Html {
  const { say } = context;
  const name = browser || say("security.some-browser");
  const button = isThis
    ? buttonForm(context, "/logout", say("layout.log-out"))
    : buttonForm(context, `${home}/sessions`, say.html("security.end-log-in", { browser: name, unseen }), {
        fields: { end: id },
      });
  return html`<li class="person">
    ${icon("lock")}
    <div class="person-words">
      <span class="name">${name}</span>
      <span class="address">
        ${isThis ? say.html("security.this-browser", { since: time(context, created) }) : say.html("security.other-browser", { used: time(context, used), since: time(context, created) })}
      </span>
      ${isTold ? html`<span class="address">${say.html("security.told-by-push", { choose: linkTo("/settings/notices") })}</span>` : ""}
    </div>
    <div class="person-actions">${button}</div>
  </li>`;
}

function languageForm(context: MemberContext): Html {
  const { hub, member, say } = context;
  const languages = [...languagesOf(hub).values()].map(({ tag, name }) => [tag, name] as const);
  return html`<form class="card form-page" method="post" action="${home}/language">
    ${token(context)}
    ${choice(context, {
      label: say("settings.language"),
      name: "language",
      value: member.account.account_language,
      choices: [["", say("settings.language-of-browser")], ...languages],
      hint: say("settings.language-hint"),
    })}
    <p class="submit"><button class="button">${say("settings.language-save")}</button></p>
  </form>`;
}

/** What stopped with the last password, for those who look why. */
function pausedPlaces({ say }: MemberContext, paused: Places): Html | "" {
  if (paused.webhooks + paused.archives === 0) return "";
  const links = { hooks: linkTo("/settings/webhooks"), places: linkTo("/settings/archives") };
  return html`<p class="alert">${say.html("security.places-paused", { ...paused, ...links })}</p>`;
}

function passwordForm(context: MemberContext, places: Places, fault: Fault | undefined): Html {
  const { say } = context;
  return html`<form class="card form-page" method="post">
    <h2>${say("security.change-password")}</h2>
    ${token(context)} ${alert(fault)}
    <input
      type="text"
      name="username"
      value="${context.member.account.account_email}"
      autocomplete="username"
      readonly
      hidden
    />
    ${passwordFields(context, { label: say("security.old-password"), name: "old_password", fault })}
    ${textField(context, { label: say("account.new-password"), name: "password", type: "password", required: true, autocomplete: "new-password", hint: say("account.password-hint"), fault })}
    <p>${say("security.keep-lead")}</p>
    ${box({ label: say("security.keep-sessions"), name: "keep_sessions", checked: false })}
    ${box({ label: say("security.keep-applications"), name: "keep_applications", checked: false })}
    ${box({ label: say("security.keep-guests"), name: "keep_guests", checked: false })}
    ${places.webhooks + places.archives > 0 ? box({ label: say("security.keep-places", places), name: "keep_places", checked: false }) : ""}
    <p class="submit"><button class="button primary">${say("account.change-it")}</button></p>
  </form>`;
}
