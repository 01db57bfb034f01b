import { html } from "hono/html";
import type { Html } from "../page.ts";

const keys = [
  ["j", "Next post"],
  ["k", "Post before"],
  ["o", "Open the post"],
  ["l", "Like"],
  ["r", "Comment"],
  ["s", "Share"],
  ["n", "New post"],
  ["/", "Search"],
  ["?", "Show these keys"],
] as const;

/** What the keys do, for whoever asks for it by one; they can be switched off for those who press them by mistake. */
export function keySheet(): Html {
  return html`<hub-keys
    ><dialog class="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        ${keys.map(
          ([key, words]) =>
            html`<dt><kbd>${key}</kbd></dt>
              <dd>${words}</dd>`,
        )}
      </dl>
      <form method="dialog">
        <p>
          <label><input type="checkbox" checked /> Use these keys in this browser</label>
        </p>
        <button class="button primary">Close</button>
      </form>
    </dialog></hub-keys
  >`;
}
