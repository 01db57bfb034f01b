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
import { listTokens, revokeToken } from "../../../../domain/identity/applications/oauth-tokens.ts";
import { HubError } from "../../../../errors.ts";
import { wordsOf } from "../../../../refusals/messages.ts";
import { messages } from "../../messages.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { Html, MemberVisit, Page } from "../../page.ts";
import { appIcon } from "../../parts/account/app-icon.ts";
import { applicationRow } from "../../parts/account/application-row.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, textField, token } from "../../parts/forms.ts";

const home = "/settings/oauth/";

/** Applications: those that act as a channel of the account, and those that this one has registered. */
export const settingsOauthPages: Page[] = [
  { path: "/settings/oauth", access: "member", get: (visit) => redirect(visit, home), post: revoke },
  { path: home, access: "member", get: list, post: revoke },
  { path: "/settings/oauth/add", access: "member", get: (visit) => addForm(visit), post: add },
  {
    path: "/settings/oauth/edit/:key",
    access: "member",
    get: (visit) => withOwn(visit, editForm),
    post: (visit, typed) => withOwn(visit, (visit, client) => save(visit, client, typed)),
  },
  {
    path: "/settings/oauth/delete/:key",
    access: "member",
    get: (visit) => withOwn(visit, confirm),
    post: (visit) => withOwn(visit, remove),
  },
];

async function list(visit: MemberVisit): Promise<Response> {
  const { account, channel } = visit.member;
  const uid = channel.channel_id;
  const [tokens, own, ofHub] = await Promise.all([
    listTokens(visit.hub, account.account_id),
    listClients(visit.hub, uid),
    listClients(visit.hub, 0),
  ]);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Applications</h1>
    <p class="lead">
      Programs on your phone or elsewhere that act as you.
      <a href="/help/programs">How to set one up</a>.
    </p>
    <h2 class="section-title">May act as you</h2>
    ${people(tokens.map((one) => applicationRow(visit, home, one))) ?? html`<p class="empty">No application can act as you. The ones that you allow appear here.</p>`}
    <div class="title-row section-title">
      <h2>Registered by you</h2>
      <a class="button" href="/settings/oauth/add">Register an application</a>
    </div>
    ${
      people(own.map((client) => clientRow(client, true))) ??
      html`<p class="empty">You need this only for an application that asks for a key and a secret.</p>`
    }
    ${ofHub.length === 0 ? "" : html`<h2 class="section-title">Offered by this hub</h2>`}
    ${people(ofHub.map((client) => clientRow(client, false))) ?? ""}`;
  return show(visit, { title: "Applications", main });
}

function people(rows: Html[]): Html | undefined {
  return rows.length === 0
    ? undefined
    : html`<ul class="card people">
        ${rows}
      </ul>`;
}

function clientRow({ name, icon, client_key: key }: OauthClient, own: boolean): Html {
  return html`<li class="person">
    ${appIcon(icon)}
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

async function revoke(visit: MemberVisit, typed: Fields): Promise<Response> {
  await revokeToken(visit.hub, visit.member.account.account_id, typed.word("remove"));
  return redirect(visit, home, "revoked");
}

function addForm(visit: MemberVisit, typed?: Fields, fault?: Fault): Promise<Response> {
  const fresh = new Fields([
    ["key", randomWord()],
    ["secret", randomWord()],
  ]);
  return form(visit, { title: "Register an application", button: "Register", typed: typed ?? fresh }, fault);
}

function add(visit: MemberVisit, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      await createClient(visit.hub, visit.member.channel.channel_id, fieldsOf(typed));
      return redirect(visit, home, "made");
    },
    (fault) => addForm(visit, typed, fault),
  );
}

/** What is unknown and what belongs to others cannot be told apart. */
async function withOwn(
  visit: MemberVisit,
  work: (visit: MemberVisit, client: OauthClient) => Promise<Response>,
): Promise<Response> {
  try {
    return await work(visit, await ownClient(visit.hub, visit.member.channel.channel_id, visit.params["key"] ?? ""));
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "missing") throw error;
    const main = html`<section class="card notice-page">
      <h1>Not an application of yours</h1>
      <p>${wordsOf(messages, error)}</p>
      <p><a class="button" href="${home}">Back to the applications</a></p>
    </section>`;
    return show(visit, { title: "Not an application of yours", main, status: 404 });
  }
}

function editForm(visit: MemberVisit, client: OauthClient, typed?: Fields, fault?: Fault): Promise<Response> {
  const stored = new Fields([
    ["name", client.name],
    ["key", client.client_key],
    ["secret", client.secret],
    ["redirect", client.redirect],
    ["icon", client.icon],
  ]);
  return form(visit, { title: client.name, button: "Save", typed: typed ?? stored, client }, fault);
}

function save(visit: MemberVisit, client: OauthClient, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      await changeClient(visit.hub, client.uid, client.client_key, fieldsOf(typed));
      return redirect(visit, home, "saved");
    },
    (fault) => editForm(visit, client, typed, fault),
  );
}

type Form = { title: string; button: string; typed: Fields; client?: OauthClient };

function form(visit: MemberVisit, { title, button, typed, client }: Form, fault?: Fault): Promise<Response> {
  const field = (label: string, name: string, hint: string, required = false): Html =>
    textField({ label, name, value: typed.text(name), required, hint, fault });
  const main = html`<p class="crumbs"><a href="/settings">Settings</a> › <a href="${home}">Applications</a></p>
    <h1>${title}</h1>
    <form class="card form-page" method="post">
      ${token(visit)} ${alert(fault)}
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
  return show(visit, { title, main, status: fault?.status ?? 200 });
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

function confirm(visit: MemberVisit, { name }: OauthClient): Promise<Response> {
  return deleteQuestion(visit, {
    question: `Delete ${name}?`,
    consequence: "Nobody can use it any more, and whoever has agreed to it has to agree anew to another one.",
    wayBack: home,
  });
}

async function remove(visit: MemberVisit, client: OauthClient): Promise<Response> {
  await deleteClient(visit.hub, client.uid, client.client_key);
  return redirect(visit, home, "deleted");
}
