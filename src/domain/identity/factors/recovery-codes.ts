import { randomInt } from "node:crypto";
import type { Hub } from "../../../hub.ts";
import { digestOf } from "../secrets.ts";

/** Codes on paper for those who have lost their second factor. */

const howMany = 10;
/** No letter that could be taken for a digit or for another letter. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789";

/** New codes of 79 bits in the place of those that the account had; nobody sees them again. Part of a transaction. */
export async function newRecoveryCodes(hub: Hub, accountId: number): Promise<string[]> {
  await dropRecoveryCodes(hub, accountId);
  const codes = Array.from({ length: howMany }, newCode);
  await hub.db
    .insertInto("recovery_code")
    .values(codes.map((code) => ({ account_id: accountId, code_digest: digestOf(plain(code)) })))
    .execute();
  return codes;
}

/** Is this one of them? It is used up then; part of a transaction. */
export async function takeRecoveryCode(hub: Hub, accountId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await hub.db
    .deleteFrom("recovery_code")
    .where("account_id", "=", accountId)
    .where("code_digest", "=", digestOf(plain(code)))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** How many are left. */
export async function countRecoveryCodes(hub: Hub, accountId: number): Promise<number> {
  const { count } = await hub.db
    .selectFrom("recovery_code")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Part of a transaction. */
export async function dropRecoveryCodes(hub: Hub, accountId: number): Promise<void> {
  await hub.db.deleteFrom("recovery_code").where("account_id", "=", accountId).execute();
}

function newCode(): string {
  return Array.from({ length: 16 }, () => letters[randomInt(letters.length)])
    .join("")
    .replaceAll(/(?<=^(?:.{4})+)(?!$)/g, "-");
}

/** As it was made, however it was typed. */
function plain(code: string): string {
  return code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
