import type { Words } from "../../../domain/recovery/told.ts";

/** What the owner of an account is told of its second factor. */

const notYou =
  "If it was not you, change your password at once: that logs out all other browsers. Then tell whoever runs the hub.";

/** Logging in takes a code from now on. */
export const codeAppAdded: Words = (site) => ({
  subject: `Logging in to ${site} takes a code now`,
  parts: [
    `An app for codes was added to your account at ${site}. From now on logging in takes one of its codes after the password.`,
    notYou,
  ],
});

/** The old recovery codes work no more. */
export const recoveryCodesRenewed: Words = (site) => ({
  subject: `New recovery codes for ${site}`,
  parts: [`Your account at ${site} has new recovery codes. The old ones do not work any more.`, notYou],
});

/** The password alone lets in again. */
export const secondFactorEnded: Words = (site) => ({
  subject: `Logging in to ${site} takes the password alone now`,
  parts: [
    `The second factor of your account at ${site} was turned off. From now on its password alone lets in.`,
    notYou,
  ],
});

/** A key of a device lets in now. */
export const passkeyAdded: Words = (site) => ({
  subject: `A new passkey for ${site}`,
  parts: [`A passkey was added to your account at ${site}. It lets in without the password.`, notYou],
});

/** And no more. */
export const passkeyRemoved: Words = (site) => ({
  subject: `A passkey for ${site} was removed`,
  parts: [`A passkey of your account at ${site} was removed. It does not let in any more.`, notYou],
});
