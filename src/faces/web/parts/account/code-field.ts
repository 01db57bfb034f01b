import type { Fault } from "../../faults.ts";
import type { Html, PageContext } from "../../page.ts";
import { textField } from "../forms.ts";

/** Where the code of a second factor is typed. */
export function codeField(
  context: PageContext,
  options: { id?: string | undefined; autofocus?: boolean; fault?: Fault | undefined },
): Html {
  return textField(context, {
    ...options,
    label: context.say("account.code"),
    name: "code",
    required: true,
    autocomplete: "one-time-code",
    hint: context.say("account.code-hint"),
  });
}
