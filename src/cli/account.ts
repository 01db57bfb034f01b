import {
  accountFlags,
  accountRoles,
  listAccounts,
  setAccountFlag,
  setPassword,
} from "../domain/identity/accounts/accounts.ts";
import type { Account } from "../domain/identity/accounts/accounts.ts";
import { accesses } from "../domain/identity/accounts/end-access.ts";
import type { Access } from "../domain/identity/accounts/end-access.ts";
import { countPlaces } from "../domain/identity/accounts/outgoing-places.ts";
import type { Places } from "../domain/identity/accounts/outgoing-places.ts";
import { needsSecondFactor } from "../domain/identity/accounts/log-in.ts";
import { register } from "../domain/identity/accounts/register.ts";
import { endSecondFactor } from "../domain/recovery/second-factor.ts";
import { chooseLanguage } from "../faces/web/languages/choose-language.ts";
import { secondFactorEnded } from "../faces/web/mails/second-factor.ts";
import type { Hub } from "../hub.ts";
import { command } from "./command.ts";
import type { Call } from "./command.ts";
import { localAccount } from "./local-account.ts";
import { readPassword } from "./password.ts";
import { readRole } from "./role.ts";
import { table } from "./table.ts";
import { withHub } from "./with-hub.ts";

const password = {
  value: "password",
  meaning: "its password; - reads it from standard input; asked for when left out",
} as const;
const email = { email: "e-mail address of the account" } as const;

export const commands = [
  command({
    name: "account create",
    summary: "make an account with its first channel",
    options: {
      email: { value: "address", meaning: "e-mail address, also for logging in", required: true },
      password,
      nick: { value: "nick", meaning: "short name of the channel", required: true },
      name: { value: "name", meaning: "full name of the channel", required: true },
      role: { value: "role", meaning: "role of the channel (social)" },
      admin: { meaning: "the account administers the hub" },
    },
    async run(call, input) {
      const fields = { ...input, password: await readPassword(input.password), role: readRole(input.role) };
      const roles = input.admin ? accountRoles.administrator : 0;
      const { account, channel } = await withHub(call, (hub) => register(hub, { ...fields, roles }));
      return {
        account_id: account.account_id,
        channel_id: channel.channel_id,
        nick: channel.channel_address,
        hash: channel.channel_hash,
      };
    },
    print: ({ account_id, channel_id, nick }) => `Account ${account_id} with channel ${channel_id} (${nick}) is there.`,
  }),
  command({
    name: "account list",
    summary: "show all accounts",
    run: (call) => withHub(call, async (hub) => (await listAccounts(hub)).map(summaryOf)),
    print: (accounts) => table(accounts, ["account_id", "email", "state", "administrator", "second_factor", "created"]),
  }),
  command({
    name: "account password",
    summary:
      "give an account a new password; browsers, applications and links of guests lose their access, webhooks and archives are paused",
    arguments: email,
    options: {
      password,
      "keep-access": {
        meaning: "browsers, applications and links of guests keep their access, and webhooks and archives go on",
      },
    },
    async run(call, { email, password, ...input }) {
      const text = await readPassword(password);
      const keep: readonly Access[] = input["keep-access"] ? accesses : [];
      let paused: Places = { webhooks: 0, archives: 0 };
      const summary = await changeAccount(call, email, (hub, { account_id: id }) =>
        setPassword(hub, id, text, keep, async (hub) => {
          if (!keep.includes("places")) paused = await countPlaces(hub, id);
        }),
      );
      return { ...summary, paused };
    },
    print: ({ email, paused: { webhooks, archives } }) =>
      webhooks + archives > 0
        ? `${email} has a new password. Paused: webhooks (${webhooks}), places of archives (${archives}).`
        : `${email} has a new password.`,
  }),
  command({
    name: "account reset-second-factor",
    summary: "let an account in with its password alone, for somebody who has lost their app and their recovery codes",
    arguments: email,
    run: (call, { email }) =>
      changeAccount(call, email, (hub, account) =>
        endSecondFactor(hub, account, secondFactorEnded(chooseLanguage(hub, account.account_language, "").say)),
      ),
    print: ({ email }) => `${email} gets in with the password alone.`,
  }),
  command({
    name: "account block",
    summary: "lock somebody out; nothing is deleted",
    arguments: email,
    run: (call, { email }) =>
      changeAccount(call, email, (hub, { account_id }) => setAccountFlag(hub, account_id, "blocked", true)),
    print: ({ email }) => `${email} is locked out.`,
  }),
  command({
    name: "account unblock",
    summary: "let somebody in again",
    arguments: email,
    run: (call, { email }) =>
      changeAccount(call, email, (hub, { account_id }) => setAccountFlag(hub, account_id, "blocked", false)),
    print: ({ email }) => `${email} may log in again.`,
  }),
];

async function changeAccount(call: Call, email: string, change: (hub: Hub, account: Account) => Promise<unknown>) {
  return withHub(call, async (hub) => {
    await change(hub, await localAccount(hub, email));
    return summaryOf(await localAccount(hub, email));
  });
}

function summaryOf(account: Account) {
  const flags = Object.entries(accountFlags).filter(([, bit]) => (account.account_flags & bit) !== 0);
  return {
    account_id: account.account_id,
    email: account.account_email,
    state: flags.map(([name]) => name).join(", ") || "active",
    second_factor: needsSecondFactor(account),
    administrator: (account.account_roles & accountRoles.administrator) !== 0,
    default_channel_id: account.account_default_channel,
    created: account.account_created,
    last_log_in: account.account_lastlog,
  };
}
