import { html } from "hono/html";
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
import type { Html, MemberContext, Page } from "../../page.ts";
import { appIcon } from "../../parts/account/app-icon.ts";
import { applicationRow } from "../../parts/account/application-row.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, textField, token } from "../../parts/forms.ts";

const home = "/settings/oauth/";

/** Applications: those that act as a channel of the account, and those that this one has registered. */
export const settingsOauthPages: Page[] = [
  { path: "/settings/oauth", access: "member", get: (context) => redirect(context, home), post: revoke },
  { path: home, access: "member", get: list, post: revoke },
  { path: "/settings/oauth/add", access: "member", get: (context) => addForm(context), post: add },
  {
    path: "/settings/oauth/edit/:key",
    access: "member",
    get: (context) => withOwn(context, editForm),
    post: (context, typed) => withOwn(context, (context, client) => save(context, client, typed)),
  },
  {
    path: "/settings/oauth/delete/:key",
    access: "member",
    get: (context) => withOwn(context, confirm),
    post: (context) => withOwn(context, remove),
  },
];

async function list(context: MemberContext): Promise<Response> {
  const { account, channel } = context.member;
  const uid = channel.channel_id;
  const [tokens, own, ofHub] = await Promise.all([
    listGrantedAccess(context.hub, account.account_id),
    listClients(context.hub, uid),
    listClients(context.hub, 0),
  ]);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Applications</h1>
    <p class="lead">
      Programs on your phone or elsewhere that act as you.
      <a href="/help/programs">How to set one up</a>.
    </p>
    <h2 class="section-title">May act as you</h2>
    ${people(tokens.map((one) => applicationRow(context, home, one))) ?? html`<p class="empty">No application can act as you. The ones that you allow appear here.</p>`}
    <div class="title-row section-title">
      <h2>Registered by you</h2>
      <a class="button" href="/settings/oauth/add">Register an application</a>
    </div>
    ${
      people(own.map((client) => clientRow(context, client, true))) ??
      html`<p class="empty">You need this only for an application that asks for a key and a secret.</p>`
    }
    ${ofHub.length === 0 ? "" : html`<h2 class="section-title">Offered by this hub</h2>`}
    ${people(ofHub.map((client) => clientRow(context, client, false))) ?? ""}`;
  return show(context, { title: "Applications", main });
}

function people(rows: Html[]): Html | undefined {
  return rows.length === 0
    ? undefined
    : html`<ul class="card people">
        ${rows}
      </ul>`;
}

function clientRow(context: MemberContext, { name, icon, client_key: key }: OauthClient, own: boolean): Html {
  return html`<li class="person">
    ${appIcon(context, icon)}
    <div class="person-words">
      <span class="name">${name}</span>
      ${own ? html`<span class="address">${key}</span>` : ""}
    </div>
    ${
      own
        ? html`<div class="person-actions">
            <a class="button" href="/settings/oauth/edit/${key}" aria-label="Edit ${name}">Edit</a>
            <a class="button quiet" href="/settings/oauth/delete/${key}" aria-label="Delete ${name}">Delete</a>
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
  const fresh = new Fields([
    ["key", randomWord()],
    ["secret", randomWord()],
  ]);
  return form(context, { title: "Register an application", button: "Register", typed: typed ?? fresh }, fault);
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
  try {
    return await work(
      context,
      await ownClient(context.hub, context.member.channel.channel_id, context.params["key"] ?? ""),
    );
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "missing") throw error;
    const main = html`<section class="card notice-page">
      <h1>Not an application of yours</h1>
      <p>${messageOf(context.language.messages, error)}</p>
      <p><a class="button" href="${home}">Back to the applications</a></p>
    </section>`;
    return show(context, { title: "Not an application of yours", main, status: 404 });
  }
}

function editForm(context: MemberContext, client: OauthClient, typed?: Fields, fault?: Fault): Promise<Response> {
  const stored = new Fields([
    ["name", client.name],
    ["key", client.client_key],
    ["secret", client.secret],
    ["redirect", client.redirect],
    ["icon", client.icon],
  ]);
  return form(context, { title: client.name, button: "Save", typed: typed ?? stored, client }, fault);
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
  const field = (label: string, name: string, hint: string, required = false): Html =>
    textField(context, { label, name, value: typed.text(name), required, hint, fault });
  const main = html`<p class="crumbs"><a href="/settings">Settings</a> › <a href="${home}">Applications</a></p>
    <h1>${title}</h1>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${field("Name", "name", "Shown to whoever is asked, and below posts that the application makes.", true)}
      ${field("Consumer key", "key", "Type it into the application.", true)}
      ${field("Consumer secret", "secret", "Type it into the application, and show it to nobody else.", true)}
      ${field("Redirect", "redirect", "The address to which people come back, if the application has one.")}
      ${field("Icon", "icon", "Address of a picture, beginning with https://.")}
      <p class="submit">
        <button class="button primary">${button}</button>
        ${client ? html`<a class="danger-link" href="/settings/oauth/delete/${client.client_key}">Delete the application</a>` : ""}
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
  return deleteQuestion(context, {
    question: `Delete ${name}?`,
    consequence: "Nobody can use it any more, and whoever has agreed to it has to agree anew to another one.",
    wayBack: home,
  });
}

async function remove(context: MemberContext, client: OauthClient): Promise<Response> {
  await deleteClient(context.hub, client.uid, client.client_key);
  return redirect(context, home, "deleted");
}
