import { say } from "../say.js";

/**
 * The form by which a browser asks to be told of notices: its button gets an address from the browser, which the form then sends. It is
 * seen as well where the hub knows an address that the browser has no more. In browsers without web push the button stays as it is, and
 * the page says what is needed.
 */
class Push extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    if (!button || !("PushManager" in window) || !("Notification" in window) || !navigator.serviceWorker) return;
    button.disabled = false;
    button.addEventListener("click", (event) => {
      event.preventDefault();
      void this.#ask(button);
    });
    if (this.hidden) void this.#compare();
  }

  async #compare() {
    const registration = await navigator.serviceWorker.getRegistration();
    const known = await registration?.pushManager.getSubscription();
    this.hidden = Notification.permission === "granted" && known?.endpoint === this.dataset["endpoint"];
  }

  /** @param {HTMLButtonElement} button */
  async #ask(button) {
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") return say(this.dataset["denied"] ?? "");
      this.#send(await subscribe(this.dataset["vapid"] ?? ""));
    } catch {
      say(this.dataset["failed"] ?? "");
    } finally {
      button.disabled = false;
    }
  }

  /** @param {PushSubscription} subscription */
  #send(subscription) {
    const form = this.querySelector("form");
    const { endpoint = "", keys = {} } = subscription.toJSON();
    for (const [name, value] of Object.entries({ endpoint, p256dh: keys["p256dh"], auth: keys["auth"] })) {
      const field = form?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value ?? "";
    }
    form?.requestSubmit();
  }
}

/**
 * An address for the key of this hub; one that was made for another key is given up.
 * @param {string} key
 */
async function subscribe(key) {
  const { pushManager } = await navigator.serviceWorker
    .register("/service-worker.js")
    .then(() => navigator.serviceWorker.ready);
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const other = await pushManager.getSubscription();
    if (!other) throw error;
    await other.unsubscribe();
    return pushManager.subscribe(options);
  }
}

customElements.define("hub-push", Push);
