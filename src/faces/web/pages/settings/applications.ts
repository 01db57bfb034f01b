import {
  changeClient,
  createClient,
  deleteClient,
  listClients,
  ownClient,
  randomWord,
} from "../../../../domain/identity/applications/oauth-clients.ts";
import type { ClientFields, OauthClient } from "../../../../domain/identity/applications/oauth-clients.ts";
import { endAccessOf, listGrantedAccess } from "../../../../domain/identity/applications/granted-access.ts";
import { HubError } from "../../../../errors.ts";
import { messageOf } from "../../../../refusals/messages.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { appIcon } from "../../parts/account/app-icon.ts";
import { applicationRow } from "../../parts/account/application-row.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, textField, token } from "../../parts/forms.ts";
import { linkTo } from "../../languages/say.ts";

const home = "/settings/oauth/";

/** Applications: those that act as a channel of the account, and those that this one has registered. */
export const settingsOauthPages: Page[] = [
  {
    path: "/settings/oauth",
    access: "member",
    whileMoved: true,
    get: (context) => redirect(context, home),
    post: revoke,
  },
  { path: home, access: "member", whileMoved: true, get: list, post: revoke },
  { path: "/settings/oauth/add", access: "member", onlyForm: true, get: (context) => addForm(context), post: add },
  {
    path: "/settings/oauth/edit/:key",
    access: "member",
    onlyForm: true,
    get: (context) => withOwn(context, editForm),
    post: (context, typed) => withOwn(context, (context, client) => save(context, client, typed)),
  },
  {
    path: "/settings/oauth/delete/:key",
    access: "member",
    onlyForm: true,
    get: (context) => withOwn(context, confirm),
    post: (context) => withOwn(context, remove),
  },
];

async function list(context: MemberContext): Promise<Response> {
  const { say } = context;
  const { account, channel } = context.member;
  const uid = channel.channel_id;
  const [tokens, own, ofHub] = await Promise.all([
    listGrantedAccess(context.hub, account.account_id),
    listClients(context.hub, uid),
    listClients(context.hub, 0),
  ]);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.applications")}</h1>
    <p class="lead">${say.html("settings.applications-lead", { programs: linkTo("/help/programs") })}</p>
    <h2 class="section-title">${say("settings.may-act")}</h2>
    ${people(tokens.map((one) => applicationRow(context, home, one))) ?? html`<p class="empty">${say("settings.may-act-none")}</p>`}
    <p><a href="/settings/oauth/token">${say("settings.script-token-make-one")}</a></p>
    <div class="title-row section-title">
      <h2>${say("settings.registered-by-you")}</h2>
      <a class="button" href="/settings/oauth/add">${say("settings.register-application")}</a>
    </div>
    ${
      people(own.map((client) => clientRow(context, client, true))) ??
      html`<p class="empty">${say("settings.registered-none")}</p>`
    }
    ${ofHub.length === 0 ? "" : html`<h2 class="section-title">${say("settings.offered-by-hub")}</h2>`}
    ${people(ofHub.map((client) => clientRow(context, client, false))) ?? ""}`;
  return show(context, { title: say("settings.applications"), main });
}

function people(rows: Html[]): Html | undefined {
  return rows.length === 0
    ? undefined
    : html`<ul class="card people">
        ${rows}
      </ul>`;
}

function clientRow(context: MemberContext, { name, icon, client_key: key }: OauthClient, own: boolean): Html {
  const { say } = context;
  return html`<li class="person">
    ${appIcon(context, icon)}
    <div class="person-words">
      <span class="name">${name}</span>
      ${own ? html`<span class="address">${key}</span>` : ""}
    </div>
    ${
      own
        ? html`<div class="person-actions">
            <a class="button" href="/settings/oauth/edit/${key}" aria-label="${say("settings.edit-named", { name })}"
              >${say("forms.edit")}</a
            >
            <a
              class="button quiet"
              href="/settings/oauth/delete/${key}"
              aria-label="${say("settings.delete-named", { name })}"
              >${say("forms.delete")}</a
            >
          </div>`
        : ""
    }
  </li>`;
}

async function revoke(context: MemberContext, typed: Fields): Promise<Response> {
  await endAccessOf(context.hub, context.member.account.account_id, typed.word("remove"));
  return redirect(context, home, "revoked");
}

function addForm(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const fresh = new Fields([
    ["key", randomWord()],
    ["secret", randomWord()],
  ]);
  return form(
    context,
    { title: say("settings.register-application"), button: say("settings.register"), typed: typed ?? fresh },
    fault,
  );
}

function add(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await createClient(context.hub, context.member.channel.channel_id, fieldsOf(typed));
      return redirect(context, home, "made");
    },
    (fault) => addForm(context, typed, fault),
  );
}

/** What is unknown and what belongs to others cannot be told apart. */
async function withOwn(
  context: MemberContext,
  work: (context: MemberContext, client: OauthClient) => Promise<Response>,
): Promise<Response> {
  const { say } = context;
  try {
    return await work(
      context,
      await ownClient(context.hub, context.member.channel.channel_id, context.params["key"] ?? ""),
    );
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "missing") throw error;
    const main = html`<section class="card notice-page">
      <h1>${say("settings.no-own-application")}</h1>
      <p>${messageOf(context.language.messages, error)}</p>
      <p><a class="button" href="${home}">${say("settings.back-to-applications")}</a></p>
    </section>`;
    return show(context, { title: say("settings.no-own-application"), main, status: 404 });
  }
}

function editForm(context: MemberContext, client: OauthClient, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const stored = new Fields([
    ["name", client.name],
    ["key", client.client_key],
    ["secret", client.secret],
    ["redirect", client.redirect],
    ["icon", client.icon],
  ]);
  return form(context, { title: client.name, button: say("forms.save"), typed: typed ?? stored, client }, fault);
}

function save(context: MemberContext, client: OauthClient, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await changeClient(context.hub, client.uid, client.client_key, fieldsOf(typed));
      return redirect(context, home, "saved");
    },
    (fault) => editForm(context, client, typed, fault),
  );
}

type Form = { title: string; button: string; typed: Fields; client?: OauthClient };

function form(context: MemberContext, { title, button, typed, client }: Form, fault?: Fault): Promise<Response> {
  const { say } = context;
  const field = (label: string, name: string, hint: string, required = false): Html =>
    textField(context, { label, name, value: typed.text(name), required, hint, fault });
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="${home}">${say("settings.applications")}</a>
    </p>
    <h1>${title}</h1>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${field(say("settings.fullname"), "name", say("settings.application-name-hint"), true)}
      ${field(say("settings.consumer-key"), "key", say("settings.consumer-key-hint"), true)}
      ${field(say("settings.consumer-secret"), "secret", say("settings.consumer-secret-hint"), true)}
      ${field(say("settings.redirect"), "redirect", say("settings.redirect-hint"))}
      ${field(say("settings.application-icon"), "icon", say("settings.application-icon-hint"))}
      <p class="submit">
        <button class="button primary">${button}</button>
        ${client ? html`<a class="danger-link" href="/settings/oauth/delete/${client.client_key}">${say("settings.delete-application")}</a>` : ""}
      </p>
    </form>`;
  return show(context, { title, main, status: fault?.status ?? 200 });
}

function fieldsOf(typed: Fields): ClientFields {
  const text = (name: string): string => typed.text(name);
  return {
    name: text("name"),
    key: text("key"),
    secret: text("secret"),
    redirect: text("redirect"),
    icon: text("icon"),
  };
}

function confirm(context: MemberContext, { name }: OauthClient): Promise<Response> {
  const { say } = context;
  return deleteQuestion(context, {
    question: say("settings.delete-application-question", { name }),
    consequence: say("settings.delete-application-means"),
    wayBack: home,
  });
}

async function remove(context: MemberContext, client: OauthClient): Promise<Response> {
  await deleteClient(context.hub, client.uid, client.client_key);
  return redirect(context, home, "deleted");
}
