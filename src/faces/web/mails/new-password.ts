import { offerNewPassword } from "../../../domain/recovery/forgotten-password.ts";
import type { Places } from "../../../domain/identity/accounts/outgoing-places.ts";
import type { Words } from "../../../domain/recovery/told.ts";
import type { Hub } from "../../../hub.ts";
import { chooseLanguage } from "../languages/choose-language.ts";
import type { Say } from "../languages/say.ts";

/** Where the link of the mail leads. */
export const newPasswordPath = "/login/new-password";

/** Mails somebody the way to a new password, in the language in which it was asked for unless the account has chosen one; a job. */
export async function mailNewPassword(hub: Hub, email: string, asked = ""): Promise<void> {
  await offerNewPassword(hub, email, ({ account_language }, token) => (site) => {
    const { say } = chooseLanguage(hub, account_language, asked);
    return {
      subject: say("mails.password-subject", { site }),
      parts: [
        say("mails.password", { site }),
        { button: say("mails.password-button"), href: `${hub.config.baseUrl}${newPasswordPath}/${token}` },
        say("mails.password-end"),
      ],
    };
  });
}

/** Says that the password is another one now, and how many places are paused since. */
export const passwordChanged =
  (say: Say, paused: Places = { webhooks: 0, archives: 0 }): Words =>
  (site) => ({
    subject: say("mails.password-changed-subject", { site }),
    parts: [
      say("mails.password-changed", { site }),
      ...(paused.webhooks + paused.archives > 0 ? [say("mails.places-paused", paused)] : []),
      say("mails.password-not-you"),
    ],
  });
