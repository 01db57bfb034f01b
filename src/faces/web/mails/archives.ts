import type { FailureMail } from "../../../domain/archives/send-archive.ts";
import type { Hub } from "../../../hub.ts";
import { chooseLanguage } from "../languages/choose-language.ts";

/** The owner of a channel hears that its archives do not arrive any more, in the language of the account. */
export const archiveFailureMail =
  (hub: Hub): FailureMail =>
  (account, channel, { reason, detail }) =>
  (site) => {
    const { say } = chooseLanguage(hub, account.account_language, "");
    const name = channel.channel_name;
    return {
      subject: say("mails.archives-fail-subject", { name, site }),
      parts: [
        say("mails.archives-fail", { name, site }),
        say(`settings.archives-why-${reason}`),
        ...(detail === "" ? [] : [{ quote: detail }]),
        { button: say("mails.archives-fail-button"), href: `${hub.config.baseUrl}/settings/archives` },
      ],
    };
  };
