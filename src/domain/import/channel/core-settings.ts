import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { ensureDefaultProfile } from "../../identity/channels/default-profile.ts";
import { importConfig } from "../../identity/restoring/import-config.ts";
import { importProfile, readProfile } from "../../identity/restoring/import-profile.ts";
import type { ReadProfile } from "../../identity/restoring/import-profile.ts";
import type { LaidOutTexts } from "../../identity/channels/profiles.ts";
import { layOutTextsAnyhow } from "../../people/profile-texts.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { isRoleName, limits, roles } from "../../identity/channels/roles.ts";
import { channelSettings, families } from "../../identity/channels/channel-settings.ts";
import type { Core } from "./core-types.ts";
import { decoded } from "../sources/legacy.ts";
import { readPermissionLimits, roleName } from "../sources/records.ts";
import { note } from "../report.ts";
import type { Report } from "../report.ts";
import { fit } from "../sources/shape.ts";

/** Step 2. Limits come from the channel record, else from the role; a role of a later version gets a name of ours. */
export async function importConfigs(hub: Hub, channel: Channel, { head }: Core, report: Report): Promise<void> {
  const records = (head.sections.get("config") ?? []).map(withRoleName);
  const role = (head.sections.get("config") ?? []).find(isRole);
  const named = new Set(records.filter(isLimit).map((record) => textIn(record, "k")));
  for (const record of records) {
    const [cat, k] = [textIn(record, "cat"), textIn(record, "k")];
    const taken = fit(cat, k) ? await importConfig(hub, channel, record) : "unreadable";
    const left = { left: "it means nothing here", example: `${cat}.${k}` };
    note(report, "config", taken === "unreadable" ? left : taken);
  }
  const given = readPermissionLimits(head.channel!);
  const rest = given.length > 0 || named.size > 0 ? given : limitsOfRole(role ? textIn(role, "v") : "");
  for (const record of rest) {
    const k = textIn(record, "k");
    if (!named.has(k) && fit(k)) await importConfig(hub, channel, record);
  }
}

function isRole(record: PortableRecord): boolean {
  return textIn(record, "cat") === channelSettings.role.cat && textIn(record, "k") === channelSettings.role.k;
}

function isLimit(record: PortableRecord): boolean {
  return textIn(record, "cat") === families.limits;
}

function withRoleName(record: PortableRecord): PortableRecord {
  return isRole(record) ? { ...record, v: roleName(textIn(record, "v")) } : record;
}

/** Native contract 3.6: what the names of later versions mean beyond those of ours. */
function limitsOfRole(given: string): PortableRecord[] {
  const name = roleName(given);
  const role = roles[isRoleName(name) ? name : "social"];
  const more =
    given === "public"
      ? Object.fromEntries(["post_comments", "post_mail", "post_like", "chat"].map((k) => [k, limits.authenticated]))
      : given === "personal"
        ? { view_contacts: limits.specific }
        : {};
  return Object.entries({ ...role.limits, ...more }).map(([k, v]) => ({ cat: families.limits, k, v: String(v) }));
}

/** A profile of the export whose texts are laid out. */
export type PreparedProfile = ReadProfile & { laidOut: LaidOutTexts };

/** The profiles of the export; the transaction that step 3 belongs to must not wait for their texts. */
export async function prepareProfiles(hub: Hub, { head, escaped }: Core): Promise<PreparedProfile[]> {
  const prepared: PreparedProfile[] = [];
  for (const record of head.sections.get("profile") ?? []) {
    const profile = readProfile(escaped ? decoded(record) : record);
    prepared.push({ ...profile, laidOut: await layOutTextsAnyhow(hub, profile.texts) });
  }
  return prepared;
}

/** Step 3, without the photo. */
export async function importProfiles(
  hub: Hub,
  channel: Channel,
  profiles: readonly PreparedProfile[],
  report: Report,
): Promise<void> {
  for (const profile of profiles) {
    const taken = fit(profile.guid) ? await importProfile(hub, channel, profile, profile.laidOut) : "unreadable";
    const left = { left: "it has no guid", example: profile.texts.profile_name };
    note(report, "profile", taken === "unreadable" ? left : taken);
  }
  await ensureDefaultProfile(hub, channel);
}
