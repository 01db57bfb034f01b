import { html } from "hono/html";
import type { PermissionLimits } from "../../../../domain/identity/channels/permission-limits.ts";
import { isReading, permissionNames } from "../../../../domain/identity/channels/roles.ts";
import type { PermissionName } from "../../../../domain/identity/channels/roles.ts";
import type { Fields } from "../../fields.ts";
import type { Html } from "../../page.ts";
import { box } from "../forms.ts";
import { grantNote } from "./limit-labels.ts";
import { permissionWords } from "./permission-labels.ts";

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
export function grantBoxes({ legend, hint, granted, limits, theirs, forGuest }: Options): Html {
  const names = permissionNames.filter((name) => !forGuest || isReading(name));
  return html`<fieldset>
    <legend>${legend}</legend>
    ${hint ? html`<p class="hint">${hint}</p>` : ""}
    <div class="columns">
      ${names.map((name) => {
        const note = limits ? grantNote(limits[name], forGuest ? "guest" : "connection") : "";
        return box({
          label: html`${permissionWords[name]}${theirs?.has(name) ? theirMark() : ""}`,
          name: "grant",
          value: name,
          checked: granted.has(name),
          ...(note !== "" && { hint: note }),
        });
      })}
    </div>
  </fieldset>`;
}

function theirMark(): Html {
  return html` <span class="theirs" title="They let you do this"
    >●<span class="unseen">they let you do this too</span></span
  >`;
}

/** The permissions that were ticked. */
export function grantsIn(form: Fields): PermissionName[] {
  const ticked = new Set(form.all("grant"));
  return permissionNames.filter((name) => ticked.has(name));
}
