import type { Words } from "../../../domain/recovery/told.ts";
import type { Say } from "../languages/say.ts";

/** What the owner of an account is told of its second factor. */

type What = "code" | "codes" | "alone" | "passkey" | "passkey-gone";

const mailOf =
  (what: What) =>
  (say: Say): Words =>
  (site) => ({
    subject: say(`mails.factor-${what}-subject`, { site }),
    parts: [say(`mails.factor-${what}`, { site }), say("mails.factor-not-you")],
  });

/** Logging in takes a code from now on. */
export const codeAppAdded = mailOf("code");

/** The old recovery codes work no more. */
export const recoveryCodesRenewed = mailOf("codes");

/** The password alone lets in again. */
export const secondFactorEnded = mailOf("alone");

/** A key of a device lets in now. */
export const passkeyAdded = mailOf("passkey");

/** And no more. */
export const passkeyRemoved = mailOf("passkey-gone");
