import type { Inviting, Registration } from "../../../../domain/identity/site/site-settings.ts";
import { fault } from "../../faults.ts";

/** Who may sign up, in words. */
export const registrationChoices: readonly (readonly [Registration, string, string])[] = [
  ["open", "Everybody", "New accounts work at once."],
  ["approval", "Everybody, after approval", "You look at each request first."],
  ["closed", "Nobody", "Only you make accounts, with the hubbub command."],
];

/** Who may invite people, in words. */
export const invitingChoices: readonly (readonly [Inviting, string, string])[] = [
  ["nobody", "Nobody", "There are no invitations, and the links that there are do not work."],
  ["administrators", "Administrators", "By links under Settings → Invitations."],
  ["members", "Every member", "Each can make links for some people and days."],
];

/** The choice that a form names. */
export function registrationOf(text: string): Registration {
  const found = registrationChoices.find(([value]) => value === text);
  if (!found) throw fault("registration", "Choose who may sign up.");
  return found[0];
}

/** A name for the hub, in its stored form. */
export function readSiteName(name: string): string {
  if (name === "") throw fault("site_name", "The hub needs a name.");
  if ([...name].length > 100) throw fault("site_name", "The name is longer than 100 characters.");
  return name;
}
