import type { Fault } from "../../faults.ts";
import type { Html } from "../../page.ts";
import { textField } from "../forms.ts";

/** Where the code of a second factor is typed. */
export function codeField(options: { id?: string | undefined; autofocus?: boolean; fault?: Fault | undefined }): Html {
  return textField({
    ...options,
    label: "Code",
    name: "code",
    required: true,
    autocomplete: "one-time-code",
    hint: "From your app, or one of your recovery codes.",
  });
}
