import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { activeGroup } from "../groups/groups.ts";
import { readName } from "../identity/channels/channel-fields.ts";
import { updateChannel } from "../identity/channels/channels.ts";
import { changeChannelSettings, readChannelSettings } from "../identity/channels/channel-settings.ts";
import type { Quoters, ShortField } from "../identity/channels/channel-settings.ts";
import { friendsGroup } from "../identity/channels/friends-group.ts";
import { readChanges } from "../identity/channels/profiles.ts";
import type { Profile } from "../identity/channels/profiles.ts";
import { roles } from "../identity/channels/roles.ts";
import { formatList } from "../identity/records/access-list.ts";
import { nameAuthorSites } from "./author-sites.ts";
import { updateDefaultProfile } from "./change-profile.ts";
import { readFields } from "./short-fields.ts";

/** How a channel shows itself, and what its posts begin with; absent parts stay. */
export type AppearanceChanges = {
  name?: string | undefined;
  about?: string | undefined;
  fields?: readonly ShortField[] | undefined;
  /** In the directory. */
  listed?: boolean | undefined;
  hidesConnections?: boolean | undefined;
  /** Whoever wants to follow asks first. */
  asksFirst?: boolean | undefined;
  /** A program posts. Forums are none. */
  program?: boolean | undefined;
  /** For whom posts are that do not say it: everybody, or the group of friends. */
  audience?: "everybody" | "friends" | undefined;
  /** Id of the group for which a post is that says `private`; 0 for none, so that it is for the default audience. */
  privateMeans?: number | undefined;
  sensitive?: boolean | undefined;
  /** Code of a language, or nothing for that of the account. */
  language?: string | undefined;
  quoters?: Quoters | undefined;
  /** Sites whose pages may name the channel as their author. */
  authorSites?: readonly string[] | undefined;
};

export type OwnPreferences = {
  sensitive: boolean;
  language: string;
  quoters: Quoters;
  fields: readonly ShortField[];
  authorSites: readonly string[];
};

/** What the owner has chosen of that. */
export async function ownPreferences(hub: Hub, uid: number): Promise<OwnPreferences> {
  const names = ["sensitiveMedia", "postLanguage", "quoters", "shortFields", "authorSites"] as const;
  const { sensitiveMedia, postLanguage, quoters, shortFields, authorSites } = await readChannelSettings(
    hub,
    uid,
    names,
  );
  return { sensitive: sensitiveMedia, language: postLanguage, quoters, fields: shortFields ?? [], authorSites };
}

/** Throws what `changeAppearance` would throw for these values, and changes nothing. */
export async function checkAppearance(hub: Hub, channel: Channel, changes: AppearanceChanges): Promise<void> {
  if (changes.name !== undefined) readName(changes.name);
  if (changes.fields) readFields(changes.fields);
  readChanges(profileChanges(changes, undefined));
  readLanguage(changes.language);
  await hashOfGroup(hub, channel, changes.privateMeans);
  await approvalOf(hub, channel, changes.asksFirst);
}

/** Changes these together. Throws invalid. */
export async function changeAppearance(hub: Hub, channel: Channel, changes: AppearanceChanges): Promise<void> {
  await checkAppearance(hub, channel, changes);
  const uid = channel.channel_id;
  const read = changes.fields && readFields(changes.fields);
  await inTransaction(hub, async (hub) => {
    await updateDefaultProfile(hub, uid, profileChanges(changes, read?.homepage));
    await changeChannelSettings(hub, uid, {
      shortFields: read?.short,
      privateMeans: await hashOfGroup(hub, channel, changes.privateMeans),
      sensitiveMedia: changes.sensitive,
      postLanguage: readLanguage(changes.language),
      quoters: changes.quoters,
      autoApprove: await approvalOf(hub, channel, changes.asksFirst),
      kind: await kindOf(hub, uid, changes.program),
    });
    if (changes.authorSites) await nameAuthorSites(hub, uid, changes.authorSites);
    if (changes.audience) await setAudience(hub, channel, changes.audience);
  });
}

function profileChanges({ name, about, listed, hidesConnections }: AppearanceChanges, homepage: string | undefined) {
  const flag = (on: boolean): 0 | 1 => (on ? 1 : 0);
  return {
    ...(name !== undefined && { fullname: name }),
    ...(about !== undefined && { about }),
    ...(homepage !== undefined && { homepage }),
    ...(listed !== undefined && { publish: flag(listed) }),
    ...(hidesConnections !== undefined && { hide_friends: flag(hidesConnections) }),
  } satisfies Partial<Profile>;
}

/** A role says by itself who is let in; only a custom channel chooses. */
async function approvalOf(hub: Hub, { channel_id: uid }: Channel, asksFirst?: boolean): Promise<boolean | undefined> {
  if (asksFirst === undefined) return undefined;
  const { role } = await readChannelSettings(hub, uid, ["role"]);
  if (role === "custom") return !asksFirst;
  if (roles[role].autoApprove === asksFirst) throw refusal("role_lets_in");
  return undefined;
}

async function kindOf(hub: Hub, uid: number, program?: boolean): Promise<"service" | "person" | undefined> {
  const { role, kind } = await readChannelSettings(hub, uid, ["role", "kind"]);
  if (program === undefined || roles[role].forum || program === (kind === "service")) return undefined;
  return program ? "service" : "person";
}

function readLanguage(language: string | undefined): string | undefined {
  const code = language?.trim().toLowerCase();
  if (code && !/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/.test(code)) throw refusal("language_unknown");
  return code;
}

async function setAudience(hub: Hub, channel: Channel, audience: "everybody" | "friends"): Promise<void> {
  const { channel_id: uid, channel_hash: hash } = channel;
  const allowGid = audience === "friends" ? formatList([await friendsGroup(hub, uid, hash)]) : "";
  await updateChannel(hub, uid, { audience: { allowCid: "", allowGid, denyCid: "", denyGid: "" } });
}

async function hashOfGroup(
  hub: Hub,
  { channel_id: uid }: Channel,
  id: number | undefined,
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  return id === 0 ? "" : (await activeGroup(hub, uid, id)).hash;
}
