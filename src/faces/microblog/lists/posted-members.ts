import type { z } from "zod";
import type { NamedMember } from "../../../domain/groups/replace-members.ts";
import { HubError } from "../../../errors.ts";
import { kind } from "../../../http/input.ts";
import { isRecord } from "../../../record-of.ts";

/** What stands in `json`: the members that a group is to have, and the name that the posted record has. */
export type PostedMembers = { name: string; members: NamedMember[] | undefined };

/** The parameter `json` of group operations as it was sent: JSON text, or what a JSON body holds. */
export function posted(): z.ZodType {
  const description = 'The group as JSON, `{"name": …, "user": [{"cid": …}]}`, or an array of its members.';
  // Entries of a list in a JSON body come one by one.
  return kind<unknown>({ description, type: "string" }, (values) => (values?.length === 1 ? values[0] : values));
}

/**
 * What was posted as `json`: one group record, an array of one, or a bare array of contacts. Undefined when there is
 * nothing; throws invalid (`bad_members`).
 */
export function readPosted(value: unknown): PostedMembers | undefined {
  return read(typeof value === "string" ? parse(value) : value);
}

function parse(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable();
  }
}

function read(value: unknown): PostedMembers | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    return entries.length === 1 && isGroup(entries[0])
      ? read(entries[0])
      : { name: "", members: entries.map(memberOf) };
  }
  if (!isRecord(value)) throw unreadable();
  const { name, user } = value;
  if (user !== undefined && !Array.isArray(user)) throw unreadable();
  return { name: typeof name === "string" ? name : "", members: user?.map(memberOf) };
}

/** A group and not a contact: only groups have members. */
function isGroup(value: unknown): boolean {
  return isRecord(value) && "user" in value;
}

/** Of each contact only `cid` counts, or `id` where there is none: the own user and guests are no connections. */
function memberOf(contact: unknown): NamedMember {
  const { cid, id } = isRecord(contact) ? contact : {};
  const [byConnection, byPerson] = [numberOf(cid), numberOf(id)];
  if (byConnection !== undefined && byConnection > 0) return { cid: byConnection };
  if (byPerson !== undefined) return { id: byPerson };
  if (byConnection === undefined) throw unreadable();
  return { cid: byConnection };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d+$/.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function unreadable(): HubError {
  return new HubError("invalid", "json data invalid", { reason: "bad_members", field: "json" });
}
