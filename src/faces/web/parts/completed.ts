import { html } from "../html.ts";
import type { Html } from "../page.ts";

/** A field for a text in which names, hashtags and emoji complete while one types, where there are scripts. */
export function completed(field: Html): Html {
  return html`<hub-complete data-address="/suggestions"
    ><text-expander keys="@ # :">${field}</text-expander></hub-complete
  >`;
}
