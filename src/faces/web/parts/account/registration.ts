import { invitings, registrations } from "../../../../domain/identity/site/site-settings.ts";
import type { Inviting, Registration } from "../../../../domain/identity/site/site-settings.ts";
import { fault } from "../../faults.ts";
import type { Say } from "../../languages/say.ts";

/** Who may sign up, in words. */
export function registrationChoices(say: Say): [Registration, string, string][] {
  return registrations.map((one) => [one, say(`account.registration-${one}`), say(`account.registration-${one}-hint`)]);
}

/** Who may invite people, in words. */
export function invitingChoices(say: Say): [Inviting, string, string][] {
  return invitings.map((one) => [one, say(`account.inviting-${one}`), say(`account.inviting-${one}-hint`)]);
}

/** The choice that a form names. */
export function registrationOf(say: Say, text: string): Registration {
  const found = registrations.find((one) => one === text);
  if (!found) throw fault("registration", say("account.choose-registration"));
  return found;
}

/** A name for the hub, in its stored form. */
export function readSiteName(say: Say, name: string): string {
  if (name === "") throw fault("site_name", say("account.hub-needs-name"));
  if ([...name].length > 100) throw fault("site_name", say("account.hub-name-long"));
  return name;
}
