import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findProfile, listProfiles } from "../../../domain/identity/channels/profiles.ts";
import { htmlOfProfile } from "../../../domain/people/profile-texts.ts";
import { profileViewers } from "../../../domain/people/profile-viewers.ts";
import { loadUsers } from "../../../domain/people/users.ts";
import type { User } from "../../../domain/people/users.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { optionalId } from "../parameters.ts";
import { presentProfile } from "./present-profile.ts";
import type { ProfileAnswer } from "./present-profile.ts";
import { presentUser } from "./present-user.ts";
import { rootElement } from "../xml.ts";

type ProfileAnswers = { profiles: ProfileAnswer[]; owner: User };

/** Microblog contract 9.7. */
export const profileRows = [
  endpoint({
    path: "svc/profile/show",
    methods: ["GET"],
    access: "channel",
    summary: "The caller's profiles with those who see them, or the one that `profile_id` names.",
    answer: "Profile[] | Profiles",
    errors: { missing: [400, "profile_id not available"] },
    // Clients of other servers send credentials only after a challenge (microblog contract 12, trap 1).
    errorsAs: { svc: { no_credentials: [403, "Forbidden"] } },
    example: { profile_id: "2" },
    input: z.object({ profile_id: optionalId("Id of one profile; all are answered without it.") }),
    handle: (hub, caller, { profile_id }) => load(hub, caller, profile_id),
    present({ profiles, owner }, { alias }): object {
      const records = profiles.map((profile) => presentProfile(profile));
      if (alias !== "friendica") return records;
      const user = presentUser(owner);
      // There is no limit to the number of profiles, and no directory of all hubs.
      return { multi_profiles: true, global_dir: "", friendica_owner: user, svc_owner: user, profiles: records };
    },
    xml: (presented: object) => rootElement(Array.isArray(presented) ? "profiles" : "friendica_profiles", presented),
  }),
];

async function load(hub: Hub, { channel, observer }: Caller, id: number | undefined): Promise<ProfileAnswers> {
  const uid = channel.channel_id;
  const profiles = id === undefined ? await listProfiles(hub, uid) : [await findProfile(hub, uid, id)];
  const viewers = await profileViewers(hub, uid);
  const users = await loadUsers(hub, observer, [channel.xchan_id, ...[...viewers.values()].flat()]);
  const viewersOf = (guid: string): User[] => (viewers.get(guid) ?? []).flatMap((viewer) => users.get(viewer) ?? []);
  const shown = profiles.map(async (profile) => ({
    profile,
    html: await htmlOfProfile(hub, profile),
    viewers: viewersOf(profile.profile_guid),
  }));
  return { profiles: await Promise.all(shown), owner: users.get(channel.xchan_id)! };
}
