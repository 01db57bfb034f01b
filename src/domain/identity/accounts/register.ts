import { HubError, refusal, certain } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { accountFlags, checkEmail, findAccountById, insertAccount, prepareAccount, readReason } from "./accounts.ts";
import type { Account, NewAccount } from "./accounts.ts";
import { callerOf } from "./caller.ts";
import type { Caller } from "./caller.ts";
import { checkChannel, insertChannel, prepareChannel } from "../channels/create-channel.ts";
import type { NewChannel } from "../channels/create-channel.ts";
import type { Channel } from "../channels/channel.ts";
import { checkNewPassword } from "./passwords.ts";
import { getSetting } from "../site/site-settings.ts";
import { countByNetwork } from "./count-by-network.ts";

type Person = NewAccount & NewChannel;

/** Makes an account together with its first channel: both or neither. */
export async function register(hub: Hub, fields: Person): Promise<Caller> {
  await checkPerson(hub, fields);
  return makePerson(hub, fields);
}

/** Throws whatever speaks against a new account with its first channel, before anything slow is done for them. */
export async function checkPerson(hub: Hub, fields: Person): Promise<void> {
  for await (const fault of faultsOfPerson(hub, fields)) throw fault;
}

function faultsOfPerson(hub: Hub, { email, password, ...channel }: Person): AsyncGenerator<HubError> {
  return faultsIn([
    () => checkEmail(hub, email),
    () => checkChannel(hub, channel),
    () => checkNewPassword(hub, password),
  ]);
}

/** What these checks throw on purpose; each is made when it is asked for. */
async function* faultsIn(checks: readonly (() => unknown)[]): AsyncGenerator<HubError> {
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof HubError) || error.field === undefined) throw error;
      yield error;
    }
  }
}

type Besides = (hub: Hub, account: Account, first: Channel) => Promise<void>;

/** Whom a channel lets in, whatever the rule for others is; `also` belongs to the sign-up, or nothing of it happens. */
export type Invited = { by: number; waits: boolean; also: (hub: Hub, first: Channel) => Promise<void> };

async function makePerson(hub: Hub, fields: Person, besides?: Besides): Promise<Caller> {
  // Slow work first: hashing and keys do not belong into a transaction.
  const account = await prepareAccount(hub, fields);
  const channel = await prepareChannel(hub, fields);
  return inTransaction(hub, async (hub) => {
    const { account_id } = await insertAccount(hub, account);
    const first = await insertChannel(hub, account_id, channel);
    const made = certain(await findAccountById(hub, account_id), "account");
    await besides?.(hub, made, first);
    return callerOf(made, first);
  });
}

export type SignUp = Omit<NewAccount, "flags" | "roles"> &
  NewChannel & {
    /** Network address of the visitor. */
    address: string;
  };

/**
 * All that speaks against what somebody has typed who would like to sign up, each with its field; those who are `invited` need not say
 * why. Throws denied where nobody else comes in.
 */
export async function* faultsOfSignUp(hub: Hub, fields: SignUp, invited = false): AsyncGenerator<HubError> {
  const rule = invited ? "open" : await getSetting(hub, "registration");
  if (rule === "closed") throw refusal("registration_closed");
  yield* faultsOfPerson(hub, fields);
  yield* faultsIn([() => checkReason(fields.reason, rule)]);
}

function checkReason(reason = "", rule: string): void {
  if (readReason(reason) === "" && rule === "approval") throw refusal("reason_needed");
}

/**
 * What a visitor does: as `register`, by the rule of the site (open, after approval, closed), five an hour from one network. With
 * `confirm` the address waits to be confirmed, and it is done in the same transaction. Of those who are invited nobody counts.
 */
export async function signUp(hub: Hub, fields: SignUp, confirm?: Besides, invited?: Invited): Promise<Caller> {
  const rule = invited ? (invited.waits ? "approval" : "open") : await getSetting(hub, "registration");
  for await (const fault of faultsOfSignUp(hub, fields, invited !== undefined)) throw fault;
  const { email, password, nick, name, role, timezone, reason, address } = fields;
  const counted = invited ? undefined : await countByNetwork(hub, "sign_ups_limited", address, mostSignUps);
  try {
    const flags = (rule === "approval" ? accountFlags.pending : 0) | (confirm ? accountFlags.unverified : 0);
    const person = { email, password, nick, name, role, timezone, flags, reason, invitedBy: invited?.by };
    return await makePerson(hub, person, async (hub, made, first) => {
      await confirm?.(hub, made, first);
      await invited?.also(hub, first);
      await notifyWaiting(hub, made);
    });
  } catch (error) {
    await counted?.takeBack();
    throw error;
  }
}

const mostSignUps = 5;

/** Somebody whose address is known to be theirs waits for approval: those who give it are told. Part of a transaction. */
export async function notifyWaiting(hub: Hub, { account_id, account_flags }: Account): Promise<void> {
  if (account_flags === accountFlags.pending) await addJob(hub, "notify-sign-up", { account: account_id });
}
