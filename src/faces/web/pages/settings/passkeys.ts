import { listPasskeys, optionsToAdd, takesPasskeys } from "../../../../domain/identity/factors/passkeys.ts";
import type { Passkey } from "../../../../domain/identity/factors/passkeys.ts";
import { endPasskey, keepPasskey } from "../../../../domain/recovery/second-factor.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { passkeyAdded, passkeyRemoved } from "../../mails/second-factor.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { passkeyButton } from "../../parts/account/passkey-button.ts";
import { alert, choice, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { time } from "../../parts/times.ts";
import type { Say } from "../../languages/say.ts";

const home = "/settings/account/passkeys";

/** Keys of devices that let in without the password. */
export const settingsPasskeysPages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context), post: add },
  { path: `${home}/remove`, access: "member", whileMoved: true, post: remove },
];

function add(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      if (!typed.has("new_passkey")) throw fault("", say("security.no-passkey-made"));
      await checkPassword(context, typed);
      await keepPasskey(hub, member.account, typed.text("new_passkey"), typed.word("name"), passkeyAdded(say));
      return redirect(context, home, "saved");
    },
    (fault) => page(context, { fault, in: "add", typed }),
  );
}

function remove(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed);
      await endPasskey(hub, member.account, typed.number("id") ?? 0, passkeyRemoved(say));
      return redirect(context, home, "removed");
    },
    (fault) => page(context, { fault, in: "remove", typed }),
  );
}

type Again = { fault: Fault; in: "add" | "remove"; typed: Fields };

async function page(context: MemberContext, again?: Again): Promise<Response> {
  const { say } = context;
  const passkeys = await listPasskeys(context.hub, context.member.account.account_id);
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="/settings/account">${say("settings.account")}</a>
    </p>
    <h1>${say("security.passkeys")}</h1>
    <p class="lead">${say("security.passkeys-lead")}</p>
    ${passkeys.length === 0 ? "" : list(context, passkeys)}
    ${takesPasskeys(context.hub) ? addForm(context, again?.in === "add" ? again : undefined) : noPasskeys(say)}
    ${passkeys.length === 0 ? "" : removeForm(context, passkeys, again?.in === "remove" ? again : undefined)}`;
  return show(context, { title: say("security.passkeys"), main, status: again?.fault.status ?? 200 });
}

function list(context: MemberContext, passkeys: readonly Passkey[]): Html {
  const { say } = context;
  return html`<ul class="card people">
    ${passkeys.map(
      ({ name, created, used }) =>
        html`<li class="person">
          ${icon("key")}
          <div class="person-words">
            <span class="name">${name}</span>
            <span class="address"
              >${say.html("security.passkey-used", { made: time(context, created), used: time(context, used) })}</span
            >
          </div>
        </li>`,
    )}
  </ul>`;
}

function noPasskeys(say: Say): Html {
  return html`<p class="empty">${say("security.no-passkeys")}</p>`;
}

async function addForm(context: MemberContext, again: Again | undefined): Promise<Html> {
  const { hub, member, site, say } = context;
  const { fault, typed = new Fields() } = again ?? {};
  const name = typed.word("name") || context.browser || say("security.my-device");
  return html`<form class="card form-page" method="post" action="${home}">
    <h2>${say("security.add-passkey")}</h2>
    ${token(context)} ${alert(fault)}
    ${textField(context, { label: say("settings.fullname"), name: "name", value: name, hint: say("security.passkey-name-hint"), required: true, fault })}
    ${passwordFields(context, { id: "add", fault })}
    ${passkeyButton(context, say("security.make-passkey"), await optionsToAdd(hub, member.account, site.name), { name: "new_passkey", make: true })}
    <noscript><p>${say("security.passkey-needs-scripts")}</p></noscript>
  </form>`;
}

function removeForm(context: MemberContext, passkeys: readonly Passkey[], again: Again | undefined): Html {
  const { say } = context;
  const choices = passkeys.map(({ id, name }) => [String(id), name] as const);
  return html`<form class="card form-page" method="post" action="${home}/remove">
    <h2>${say("security.remove-passkey")}</h2>
    ${token(context)} ${alert(again?.fault)}
    ${choice(context, { label: say("security.passkey"), name: "id", value: again?.typed.word("id") ?? "", choices })}
    ${passwordFields(context, { id: "remove", fault: again?.fault })}
    <p class="submit"><button class="button danger">${say("security.remove-it")}</button></p>
  </form>`;
}
