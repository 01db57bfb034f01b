import { offerNewPassword } from "../../../domain/recovery/forgotten-password.ts";
import type { Words } from "../../../domain/recovery/told.ts";
import type { Hub } from "../../../hub.ts";

/** Where the link of the mail leads. */
export const newPasswordPath = "/login/new-password";

/** Mails somebody the way to a new password; a job. */
export async function mailNewPassword(hub: Hub, email: string): Promise<void> {
  await offerNewPassword(hub, email, (token) => (site) => ({
    subject: `A new password for ${site}`,
    parts: [
      `Somebody, hopefully you, has asked for a new password for your account at ${site}.`,
      { button: "Choose a new password", href: `${hub.config.baseUrl}${newPasswordPath}/${token}` },
      "The link works once, within an hour. If it was not you, do nothing: your password stays as it is.",
    ],
  }));
}

/** Says that the password is another one now. */
export const passwordChanged: Words = (site) => ({
  subject: `Your password for ${site} was changed`,
  parts: [
    `The password of your account at ${site} was changed.`,
    "If it was not you, ask for a new password on the log-in page at once, and tell whoever runs the hub.",
  ],
});
