import type { Words } from "../../../domain/recovery/told.ts";
import type { Hub } from "../../../hub.ts";

/** What is mailed about addresses of accounts, and where its links lead. */

export const confirmationPath = "/register/confirm";
export const newAddressPath = "/login/new-address";

/** Somebody has signed up with this address. */
export const confirmation =
  (hub: Hub) =>
  (token: string): Words =>
  (site) => ({
    subject: `Confirm your address for ${site}`,
    parts: [
      `Somebody, hopefully you, has made an account at ${site} with this address.`,
      { button: "Confirm the address", href: `${hub.config.baseUrl}${confirmationPath}/${token}` },
      "The link works once, within a week. If it was not you, do nothing: the account cannot be used then.",
    ],
  });

/** Somebody wants this to be the address of their account. */
export const newAddress =
  (hub: Hub) =>
  (token: string): Words =>
  (site) => ({
    subject: `Confirm your new address for ${site}`,
    parts: [
      `Somebody, hopefully you, wants this to be the address of their account at ${site}.`,
      { button: "Use this address", href: `${hub.config.baseUrl}${newAddressPath}/${token}` },
      "The link works once, within a day. If it was not you, do nothing.",
    ],
  });

const notYou = "If it was not you, change your password at once, and tell whoever runs the hub.";

/** For the old address: another one was asked for. */
export const addressAsked: Words = (site) => ({
  subject: `Another address for your account at ${site}?`,
  parts: [`Somebody who knows your password wants another address for your account at ${site}.`, notYou],
});

/** For the old address: it is not that of the account any more. */
export const addressChanged: Words = (site) => ({
  subject: `Your account at ${site} has another address`,
  parts: [`This is no longer the address of your account at ${site}.`, notYou],
});

/** The account is no more. */
export const accountRemoved: Words = (site) => ({
  subject: `Your account at ${site} was deleted`,
  parts: [
    `Your account at ${site} was deleted with all of its channels. What they wrote and stored goes within the next minutes.`,
  ],
});
