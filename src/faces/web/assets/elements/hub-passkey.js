import { say } from "../say.js";

/**
 * A button that asks the browser for a passkey. What comes of it is a field of the form around, which is sent at once; with `data-done` it
 * waits for a button of the form, and says so. In browsers that have no passkeys there is nothing to see.
 */
class Passkey extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    if (!button || typeof PublicKeyCredential === "undefined" || !PublicKeyCredential.parseRequestOptionsFromJSON)
      return;
    this.hidden = false;
    button.addEventListener("click", () => void this.#ask());
  }

  async #ask() {
    const form = this.closest("form");
    const field = this.querySelector("input");
    if (!form || !field) return;
    const credential = await this.#credential().catch(() => null);
    if (!(credential instanceof PublicKeyCredential)) return say(this.dataset["failed"] ?? "");
    field.value = JSON.stringify(credential.toJSON());
    // What the passkey takes the place of need not be typed.
    for (const input of form.querySelectorAll("input")) if (input.name === "code") input.required = false;
    if (this.dataset["done"] !== undefined) return say(this.dataset["done"]);
    form.noValidate = true;
    form.requestSubmit();
  }

  #credential() {
    const said = this.dataset["options"] ?? "{}";
    if (this.dataset["make"] !== undefined)
      return make(/** @type {PublicKeyCredentialCreationOptionsJSON} */ (JSON.parse(said)));
    return use(/** @type {PublicKeyCredentialRequestOptionsJSON} */ (JSON.parse(said)));
  }
}

/** @param {PublicKeyCredentialCreationOptionsJSON} options */
function make(options) {
  return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
}

/** @param {PublicKeyCredentialRequestOptionsJSON} options */
function use(options) {
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

customElements.define("hub-passkey", Passkey);
