import type { MeasureMail } from "../../../domain/moderation/act.ts";
import type { AccountMeasure } from "../../../domain/moderation/log.ts";
import type { Part } from "../../../domain/mail/mail.ts";
import type { Hub } from "../../../hub.ts";
import { newPasswordPath } from "./new-password.ts";

/** What the owner of an account is mailed about what those who run the hub did. */

type Letter = { subject: (site: string) => string; sentence: (site: string) => string };

const sentences: Readonly<Record<Exclude<AccountMeasure, "note">, Letter>> = {
  approve: {
    subject: (site) => `Welcome to ${site}`,
    sentence: (site) => `Your account at ${site} was approved. You can log in now.`,
  },
  refuse: {
    subject: (site) => `Your request to join ${site}`,
    sentence: (site) => `Those who run ${site} have decided not to open an account for you. What you sent was deleted.`,
  },
  warn: {
    subject: (site) => `A word from those who run ${site}`,
    sentence: (site) => `Those who run ${site} have looked at what you do there, and write:`,
  },
  limit: {
    subject: (site) => `Your account at ${site} is limited`,
    sentence: (site) =>
      `Those who run ${site} have limited your account: it is not shown in the directory, in suggestions and in public lists, and whom you want to connect with is asked first.`,
  },
  unlimit: {
    subject: (site) => `Your account at ${site} is no longer limited`,
    sentence: (site) => `Your account at ${site} is shown like all others again.`,
  },
  block: {
    subject: (site) => `Your account at ${site} is suspended`,
    sentence: (site) => `Those who run ${site} have suspended your account. You cannot log in for now.`,
  },
  unblock: {
    subject: (site) => `Your account at ${site} is open again`,
    sentence: (site) => `You can log in to ${site} again.`,
  },
  password: {
    subject: (site) => `A new password for ${site}`,
    sentence: (site) =>
      `Those who run ${site} send you a way to a new password. The link works once, within an hour. Until then your password stays as it is.`,
  },
  "log-out": {
    subject: (site) => `You are logged out of ${site}`,
    sentence: (site) => `Those who run ${site} have logged you out in all browsers and applications.`,
  },
  promote: {
    subject: (site) => `You administer ${site} now`,
    sentence: (site) => `Your account at ${site} may administer the hub from now on.`,
  },
  demote: {
    subject: (site) => `You no longer administer ${site}`,
    sentence: (site) => `Your account at ${site} is an account like others from now on.`,
  },
  remove: {
    subject: (site) => `Your account at ${site} was deleted`,
    sentence: (site) =>
      `Those who run ${site} have deleted your account with all of its channels. What they wrote and stored goes within the next minutes.`,
  },
};

/** The mail about a measure. */
export const measureMail =
  ({ config }: Hub): MeasureMail =>
  (measure, note, token) =>
  (site) => {
    const { subject, sentence } = sentences[measure === "note" ? "warn" : measure];
    const button: Part[] =
      token === undefined
        ? []
        : [{ button: "Choose a new password", href: `${config.baseUrl}${newPasswordPath}/${token}` }];
    return { subject: subject(site), parts: [sentence(site), ...button, ...(note === "" ? [] : [{ quote: note }])] };
  };
