import { randomBytes } from "node:crypto";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { cutPage } from "../../storage/key-page.ts";
import { connect } from "../connections/connections.ts";
import { isAdministrator, mayAuthenticate } from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import type { Caller } from "../identity/accounts/caller.ts";
import type { SignUp } from "../identity/accounts/register.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { getSetting } from "../identity/site/site-settings.ts";
import { signUpByMail } from "../recovery/addresses.ts";

/**
 * A link with which so many people may sign up, whatever the site says about everybody else, and are connected with the channel that
 * has invited them (decision 84).
 */
export type Invitation = { id: number; token: string; note: string; uses: number; most_uses: number; expires: string };

export const mostUses = 100;
export const mostDays = 90;
const mostInvitations = 50;
const longestNote = 100;
const day = 24 * 60 * 60 * 1000;

/** May the owner of this account invite people? The administrators decide who may. */
export async function mayInvite(hub: Hub, account: Pick<Account, "account_roles">): Promise<boolean> {
  const who = await getSetting(hub, "invitations");
  return who === "members" || (who === "administrators" && isAdministrator(account));
}

/** The invitations of the channel, also those that are over, the newest first. */
export async function listInvitations(hub: Hub, uid: number): Promise<Invitation[]> {
  return hub.db
    .selectFrom("invitation")
    .select(["id", "token", "note", "uses", "most_uses", "expires"])
    .where("uid", "=", uid)
    .orderBy("id", "desc")
    .execute();
}

/** An invitation with the channel that has made it. */
export type ListedInvitation = Invitation & { created: string; channel_name: string; channel_address: string };

/** A page of the invitations of all channels, the newest first; for those who run the hub. */
export async function pageOfInvitations(
  hub: Hub,
  { before, count }: { before?: number | undefined; count: number },
): Promise<{ invitations: ListedInvitation[]; next: number | undefined }> {
  const rows = await hub.db
    .selectFrom("invitation")
    .innerJoin("channel", "channel.channel_id", "invitation.uid")
    .select(["invitation.id", "token", "note", "uses", "most_uses", "expires", "created"])
    .select(["channel_name", "channel_address"])
    .where("invitation.id", "<", before ?? Number.MAX_SAFE_INTEGER)
    .orderBy("invitation.id", "desc")
    .limit(count + 1)
    .execute();
  const { page: invitations, next } = cutPage(rows, count, ({ id }) => id);
  return { invitations, next };
}

/** Makes an invitation. Throws denied where the owner may not invite or has too many, and invalid for numbers out of range. */
export async function invite(
  hub: Hub,
  { channel, account }: { channel: Channel; account: Pick<Account, "account_roles"> },
  { note, uses, days }: { note: string; uses: number; days: number },
): Promise<void> {
  if (!(await mayInvite(hub, account))) throw refusal("not_inviting");
  if (!isWithin(uses, mostUses)) throw refusal("invitation_uses_wrong", { most: mostUses });
  if (!isWithin(days, mostDays)) throw refusal("invitation_days_wrong", { most: mostDays });
  const uid = channel.channel_id;
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    if ((await listInvitations(hub, uid)).length >= mostInvitations)
      throw refusal("invitations_full", { most: mostInvitations });
    await hub.db
      .insertInto("invitation")
      .values({
        uid,
        token: randomBytes(16).toString("base64url"),
        note: note.replace(/\s+/g, " ").trim().slice(0, longestNote),
        most_uses: uses,
        expires: momentIn(hub, days * day),
        created: now(hub),
      })
      .execute();
  });
}

function isWithin(number: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= 1 && number <= most;
}

/** Ends an invitation of the channel, or of `anybody`. Throws missing. */
export async function endInvitation(hub: Hub, uid: number | "anybody", id: number): Promise<void> {
  const { numDeletedRows } = await inTransaction(hub, (hub) => {
    const one = hub.db.deleteFrom("invitation").where("id", "=", id);
    return (uid === "anybody" ? one : one.where("uid", "=", uid)).executeTakeFirstOrThrow();
  });
  if (numDeletedRows === 0n) throw missing("Invitation");
}

/** Who invites with this link; undefined where it is none, is over, or its owner may not invite any more. */
export async function inviterBy(
  hub: Hub,
  token: string,
): Promise<{ invitation: number; inviter: Channel } | undefined> {
  const row = await hub.db
    .selectFrom("invitation")
    .innerJoin("channel", "channel.channel_id", "invitation.uid")
    .innerJoin("account", "account.account_id", "channel.channel_account_id")
    .select(["invitation.id", "invitation.uid", "account.account_roles"])
    .where("invitation.token", "=", token)
    .where("invitation.expires", ">", now(hub))
    .whereRef("invitation.uses", "<", "invitation.most_uses")
    .where("channel.channel_removed", "=", 0)
    .where("channel.channel_moved", "=", "")
    .where(mayAuthenticate(hub))
    .executeTakeFirst();
  if (!row || !(await mayInvite(hub, row))) return undefined;
  const inviter = await findChannelById(hub, row.uid);
  return inviter && { invitation: row.id, inviter };
}

/**
 * Signs up whoever has the link, and connects them with the channel that invites, both ways. Throws denied (`invitation_over`) where
 * it cannot be used any more: never more people than it is for come in.
 */
export async function acceptInvitation(hub: Hub, token: string, fields: SignUp, language: string): Promise<Caller> {
  const found = await inviterBy(hub, token);
  if (!found) throw refusal("invitation_over");
  const waits = await getSetting(hub, "invitedWait");
  const also = async (hub: Hub, channel: Channel): Promise<void> => {
    await useOnce(hub, found.invitation);
    await connect(hub, channel, { xchan_hash: found.inviter.channel_hash });
    await connect(hub, found.inviter, { xchan_hash: channel.channel_hash });
  };
  return signUpByMail(hub, fields, language, { by: found.inviter.channel_id, waits, also });
}

async function useOnce(hub: Hub, id: number): Promise<void> {
  const { numUpdatedRows } = await hub.db
    .updateTable("invitation")
    .set((x) => ({ uses: x("uses", "+", 1) }))
    .where("id", "=", id)
    .where("expires", ">", now(hub))
    .whereRef("uses", "<", "most_uses")
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw refusal("invitation_over");
}
