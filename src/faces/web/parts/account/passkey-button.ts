import { listPasskeys, optionsToUse, takesPasskeys } from "../../../../domain/identity/factors/passkeys.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";

/**
 * A button that gets a passkey from the browser, for a field of the form around it, and sends the form; nothing without scripts. `options`
 * are what the browser is asked for: to use one, or to `make` one. With `done`, a sentence, the form waits for its own button.
 */
export function passkeyButton(
  { say }: PageContext,
  label: string,
  options: object,
  { name = "passkey", make = false, done }: { name?: string; make?: boolean; done?: string } = {},
): Html {
  return html`<hub-passkey
    data-options="${JSON.stringify(options)}"
    ${make ? "data-make" : ""}
    ${done === undefined ? "" : html`data-done="${done}"`}
    data-failed="${say("account.passkey-failed")}"
    hidden
  >
    <input type="hidden" name="${name}" />
    <button type="button" class="button">${label}</button>
  </hub-passkey>`;
}

/** The same for a passkey of this account in the place of a code; nothing where it has none. */
export async function ownPasskeyButton(context: PageContext, accountId: number, done?: string): Promise<Html> {
  const { hub, say } = context;
  if (!takesPasskeys(hub) || (await listPasskeys(hub, accountId)).length === 0) return html``;
  const options = await optionsToUse(hub, accountId);
  return passkeyButton(context, say("account.passkey-instead"), options, done === undefined ? {} : { done });
}
