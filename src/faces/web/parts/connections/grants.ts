import type { PermissionLimits } from "../../../../domain/identity/channels/permission-limits.ts";
import { isReading, permissionNames } from "../../../../domain/identity/channels/roles.ts";
import type { PermissionName } from "../../../../domain/identity/channels/roles.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html } from "../../page.ts";
import { box } from "../forms.ts";
import { grantNote } from "./limit-labels.ts";
import { permissionLabel } from "./permission-labels.ts";
import type { Say } from "../../languages/say.ts";

type Options = {
  legend: string;
  hint?: string;
  granted: ReadonlySet<string>;
  /** The channel's limits: where they decide, the grant says so. */
  limits?: PermissionLimits;
  /** What the other side grants in turn. */
  theirs?: ReadonlySet<string>;
  /** Guests read, and change nothing. */
  forGuest?: boolean;
};

/** Boxes for permissions; those ticked arrive as `grant`. */
export function grantBoxes(say: Say, { legend, hint, granted, limits, theirs, forGuest }: Options): Html {
  const names = permissionNames.filter((name) => !forGuest || isReading(name));
  return html`<fieldset>
    <legend>${legend}</legend>
    ${hint ? html`<p class="hint">${hint}</p>` : ""}
    <div class="columns">
      ${names.map((name) => {
        const note = limits ? grantNote(say, limits[name], forGuest ? "guest" : "connection") : "";
        return box({
          label: html`${permissionLabel(say, name)}${theirs?.has(name) ? theirMark(say) : ""}`,
          name: "grant",
          value: name,
          checked: granted.has(name),
          ...(note !== "" && { hint: note }),
        });
      })}
    </div>
  </fieldset>`;
}

function theirMark(say: Say): Html {
  return html` <span class="theirs" title="${say("connections.let-you-title")}"
    >●<span class="unseen">${say("connections.let-you")}</span></span
  >`;
}

/** The permissions that were ticked. */
export function grantsIn(form: Fields): PermissionName[] {
  const ticked = new Set(form.all("grant"));
  return permissionNames.filter((name) => ticked.has(name));
}
