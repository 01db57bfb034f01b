import { offerConfirmation } from "../../../domain/recovery/addresses.ts";
import type { Words } from "../../../domain/recovery/told.ts";
import type { Hub } from "../../../hub.ts";
import { chooseLanguage } from "../languages/choose-language.ts";
import type { Say } from "../languages/say.ts";

/** What is mailed about addresses of accounts, and where its links lead. */

export const confirmationPath = "/register/confirm";
export const newAddressPath = "/login/new-address";

/** Mails somebody who has signed up, in this language, how to confirm their address; a job. */
export async function mailConfirmation(hub: Hub, accountId: number, language: string): Promise<void> {
  await offerConfirmation(hub, accountId, ({ account_language }, token) => (site) => {
    const { say } = chooseLanguage(hub, account_language, language);
    return {
      subject: say("mails.confirm-subject", { site }),
      parts: [
        say("mails.confirm", { site }),
        { button: say("mails.confirm-button"), href: `${hub.config.baseUrl}${confirmationPath}/${token}` },
        say("mails.confirm-end"),
      ],
    };
  });
}

/** Somebody wants this to be the address of their account. */
export const newAddress =
  (hub: Hub, say: Say) =>
  (token: string): Words =>
  (site) => ({
    subject: say("mails.address-subject", { site }),
    parts: [
      say("mails.address", { site }),
      { button: say("mails.address-button"), href: `${hub.config.baseUrl}${newAddressPath}/${token}` },
      say("mails.address-end"),
    ],
  });

/** For the old address: another one was asked for. */
export const addressAsked =
  (say: Say): Words =>
  (site) => ({
    subject: say("mails.asked-subject", { site }),
    parts: [say("mails.asked", { site }), say("mails.not-you")],
  });

/** For the old address: it is not that of the account any more. */
export const addressChanged =
  (say: Say): Words =>
  (site) => ({
    subject: say("mails.changed-subject", { site }),
    parts: [say("mails.changed", { site }), say("mails.not-you")],
  });

/** The account is no more. */
export const accountRemoved =
  (say: Say): Words =>
  (site) => ({ subject: say("mails.removed-subject", { site }), parts: [say("mails.removed", { site })] });
