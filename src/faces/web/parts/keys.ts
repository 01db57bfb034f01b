import { html } from "../html.ts";
import type { Say } from "../languages/say.ts";
import type { Html } from "../page.ts";

const keys = [
  ["j", "next"],
  ["k", "before"],
  ["o", "open"],
  ["l", "like"],
  ["r", "comment"],
  ["s", "share"],
  ["n", "new"],
  ["/", "search"],
  ["?", "show"],
] as const;

/** What the keys do, for whoever asks for it by one; they can be switched off for those who press them by mistake. */
export function keySheet(say: Say): Html {
  return html`<hub-keys
    ><dialog class="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">${say("keys.title")}</h2>
      <dl>
        ${keys.map(
          ([key, name]) =>
            html`<dt><kbd>${key}</kbd></dt>
              <dd>${say(`keys.${name}`)}</dd>`,
        )}
      </dl>
      <form method="dialog">
        <p>
          <label><input type="checkbox" checked /> ${say("keys.use")}</label>
        </p>
        <button class="button primary">${say("keys.close")}</button>
      </form>
    </dialog></hub-keys
  >`;
}
