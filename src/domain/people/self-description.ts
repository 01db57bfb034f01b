import type { Hub } from "../../hub.ts";
import { personalise } from "../bodies/personalise.ts";
import { approvesByItself } from "../connections/grants.ts";
import { channelSetting, readChannelSettings } from "../identity/channels/channel-settings.ts";
import type { ChannelKind, Quoters } from "../identity/channels/channel-settings.ts";
import { newPlace } from "../identity/channels/moved.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { defaultProfile } from "../identity/channels/profiles.ts";
import { may } from "../permissions/may.ts";
import { htmlOfProfile } from "./profile-texts.ts";
import { fieldsOf } from "./short-fields.ts";
import type { FieldHtml } from "./short-fields.ts";
import type { Reachable } from "./reachable.ts";

/** What a channel says of itself to whoever looks. */
export type SelfDescription = {
  kind: ChannelKind | "forum";
  approvesByItself: boolean;
  /** HTML; empty unless the observer may see the profile, as are the fields. */
  about: string;
  fields: readonly FieldHtml[];
  /** Who may quote what it posts, as long as a post says nothing else. */
  quoters: Quoters;
  /** Sites whose pages may name it as their author. */
  authorSites: readonly string[];
  /** Ids of elsewhere under which it is the same person. */
  aliases: readonly string[];
  /** Where it lives now, if it has left. */
  movedTo: string | undefined;
};

/** Is it a person, or what else? (federation contract 1.1) */
export async function kindOf(hub: Hub, { channel, forum }: Reachable): Promise<SelfDescription["kind"]> {
  return forum ? "forum" : channelSetting(hub, channel.channel_id, "kind");
}

/** Everything that documents say of the channel besides its name, its keys and its pictures. */
export async function describeItself(hub: Hub, observer: Observer, reachable: Reachable): Promise<SelfDescription> {
  const { channel } = reachable;
  const uid = channel.channel_id;
  const [kind, approves, { aliases, quoters, authorSites }, shown, place] = await Promise.all([
    kindOf(hub, reachable),
    approvesByItself(hub, uid),
    readChannelSettings(hub, uid, ["aliases", "quoters", "authorSites"]),
    may(hub, observer, "view_profile", uid),
    newPlace(hub, channel),
  ]);
  const profile = shown ? await profileFields(hub, uid) : { about: "", fields: [] };
  return { kind, approvesByItself: approves, quoters, authorSites, aliases, movedTo: place?.actor, ...profile };
}

async function profileFields(hub: Hub, uid: number): Promise<Pick<SelfDescription, "about" | "fields">> {
  const [profile, short] = await Promise.all([defaultProfile(hub, uid), channelSetting(hub, uid, "shortFields")]);
  const { about } = await htmlOfProfile(hub, profile);
  const channels = linksIn(profile.channels).map((url) => ({ name: new URL(url).host, value: url }));
  const fields = fieldsOf({ ...profile, locality: "", region: "", country_name: "" }, [...channels, ...(short ?? [])]);
  return { about: personalise(about, undefined), fields };
}

function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"[\]]{1,2040}/gi)].map(([url]) => url).filter((url) => URL.canParse(url));
}
