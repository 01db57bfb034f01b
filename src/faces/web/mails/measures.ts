import type { MeasureMail } from "../../../domain/moderation/act.ts";
import type { Part } from "../../../domain/mail/mail.ts";
import type { Hub } from "../../../hub.ts";
import { chooseLanguage } from "../languages/choose-language.ts";
import { newPasswordPath } from "./new-password.ts";

/** What the owner of an account is mailed about what those who run the hub did, in the language of the account. */
export const measureMail =
  (hub: Hub): MeasureMail =>
  (account, measure, note, token) =>
  (site) => {
    const { say } = chooseLanguage(hub, account.account_language, "");
    const told = measure === "note" ? "warn" : measure;
    const button: Part[] =
      token === undefined
        ? []
        : [{ button: say("mails.password-button"), href: `${hub.config.baseUrl}${newPasswordPath}/${token}` }];
    return {
      subject: say(`mails.measure-${told}-subject`, { site }),
      parts: [say(`mails.measure-${told}`, { site }), ...button, ...(note === "" ? [] : [{ quote: note }])],
    };
  };
