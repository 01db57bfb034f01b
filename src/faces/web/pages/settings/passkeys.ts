import { html } from "hono/html";
import { listPasskeys, optionsToAdd, takesPasskeys } from "../../../../domain/identity/factors/passkeys.ts";
import type { Passkey } from "../../../../domain/identity/factors/passkeys.ts";
import { endPasskey, keepPasskey } from "../../../../domain/recovery/second-factor.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { passkeyAdded, passkeyRemoved } from "../../mails/second-factor.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { passkeyButton } from "../../parts/account/passkey-button.ts";
import { alert, choice, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { time } from "../../parts/times.ts";

const home = "/settings/account/passkeys";

/** Keys of devices that let in without the password. */
export const settingsPasskeysPages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context), post: add },
  { path: `${home}/remove`, access: "member", whileMoved: true, post: remove },
];

function add(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    context,
    async () => {
      if (!typed.has("new_passkey")) throw fault("", "No passkey was made. Your browser has to run scripts for that.");
      await checkPassword(context, typed);
      await keepPasskey(hub, member.account, typed.text("new_passkey"), typed.word("name"), passkeyAdded(context.say));
      return redirect(context, home, "saved");
    },
    (fault) => page(context, { fault, in: "add", typed }),
  );
}

function remove(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed);
      await endPasskey(hub, member.account, typed.number("id") ?? 0, passkeyRemoved(context.say));
      return redirect(context, home, "removed");
    },
    (fault) => page(context, { fault, in: "remove", typed }),
  );
}

type Again = { fault: Fault; in: "add" | "remove"; typed: Fields };

async function page(context: MemberContext, again?: Again): Promise<Response> {
  const passkeys = await listPasskeys(context.hub, context.member.account.account_id);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a> <a href="/settings/account">Account</a></p>
    <h1>Passkeys</h1>
    <p class="lead">
      A passkey is a key that your phone, computer or security key keeps. It lets you in with a finger, a face or a PIN,
      and no other site can ask for it.
    </p>
    ${passkeys.length === 0 ? "" : list(context, passkeys)}
    ${takesPasskeys(context.hub) ? addForm(context, again?.in === "add" ? again : undefined) : noPasskeys()}
    ${passkeys.length === 0 ? "" : removeForm(context, passkeys, again?.in === "remove" ? again : undefined)}`;
  return show(context, { title: "Passkeys", main, status: again?.fault.status ?? 200 });
}

function list(context: MemberContext, passkeys: readonly Passkey[]): Html {
  return html`<ul class="card people">
    ${passkeys.map(
      ({ name, created, used }) =>
        html`<li class="person">
          ${icon("key")}
          <div class="person-words">
            <span class="name">${name}</span>
            <span class="address">made ${time(context, created)}, last used ${time(context, used)}</span>
          </div>
        </li>`,
    )}
  </ul>`;
}

function noPasskeys(): Html {
  return html`<p class="empty">
    Browsers take passkeys only for hubs with a name and over HTTPS, which is not how this one is reached.
  </p>`;
}

async function addForm(context: MemberContext, again: Again | undefined): Promise<Html> {
  const { hub, member, site } = context;
  const { fault, typed = new Fields() } = again ?? {};
  const name = typed.word("name") || context.browser || "My device";
  return html`<form class="card form-page" method="post" action="${home}">
    <h2>Add a passkey</h2>
    ${token(context)} ${alert(fault)}
    ${textField(context, { label: "Name", name: "name", value: name, hint: "To know it again.", required: true, fault })}
    ${passwordFields(context, { id: "add", fault })}
    ${passkeyButton(context, "Make a passkey", await optionsToAdd(hub, member.account, site.name), { name: "new_passkey", make: true })}
    <noscript><p>Your browser has to run scripts to make a passkey.</p></noscript>
  </form>`;
}

function removeForm(context: MemberContext, passkeys: readonly Passkey[], again: Again | undefined): Html {
  const choices = passkeys.map(({ id, name }) => [String(id), name] as const);
  return html`<form class="card form-page" method="post" action="${home}/remove">
    <h2>Remove a passkey</h2>
    ${token(context)} ${alert(again?.fault)}
    ${choice(context, { label: "Passkey", name: "id", value: again?.typed.word("id") ?? "", choices })}
    ${passwordFields(context, { id: "remove", fault: again?.fault })}
    <p class="submit"><button class="button danger">Remove it</button></p>
  </form>`;
}
