import type { Hub } from "../../../hub.ts";
import {
  addConnections,
  followersAmong,
  forgetFollows,
  forgetNeighbours,
  forgetRequests,
} from "../../connections/restore.ts";
import { stayedAt } from "../../connections/stayed.ts";
import { addGroups } from "../../groups/restore.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import { defaultProfile } from "../../identity/channels/profiles.ts";
import { addHublocs, addXchans, bringXchanHome, fetchAvatars } from "../../identity/restoring/restore-xchans.ts";
import type { RestoredXchan } from "../../identity/restoring/restore-xchans.ts";
import { isHere } from "../../identity/xchans/web-url.ts";
import { findXchansByHash } from "../../identity/xchans/xchans.ts";
import type { PreparedProfile } from "./core-settings.ts";
import { connectionsOf, groupsOf, selfOf } from "./core-records.ts";
import type { Core } from "./core-types.ts";
import { formerHost, formerId } from "./former-id.ts";
import { readConnection } from "../sources/records.ts";
import { askAnew, keepFollowers, lookUpStayed } from "../lists/brought-along.ts";
import { note, remark } from "../report.ts";
import type { Report } from "../report.ts";

/** Steps 4 and 5: everybody else's identities and locations, and where the own one is at home now. */
export async function importIdentities(
  hub: Hub,
  channel: Channel,
  core: Core,
  profiles: readonly PreparedProfile[],
  report: Report,
): Promise<void> {
  const foreign = await withoutOwn(hub, core.xchans, report);
  const added = await addXchans(hub, foreign);
  await fetchAvatars(hub, foreign, added);
  for (const xchan of foreign) note(report, "xchan", added.has(xchan.xchan_hash) ? "imported" : "there");
  const locations = await addHublocs(
    hub,
    core.hublocs.filter((hubloc) => hubloc.hubloc_hash !== channel.channel_hash),
    channel.channel_hash,
  );
  for (const { hubloc_hash, hubloc_url } of core.hublocs)
    note(report, "hubloc", locations.has(`${hubloc_hash} ${hubloc_url}`) ? "imported" : "there");
  const profile = await defaultProfile(hub, channel.channel_id);
  const imported = profiles.find(({ guid }) => guid === profile.profile_guid);
  await bringXchanHome(hub, channel, {
    xchan_name: channel.channel_name,
    ...(imported && { xchan_about: imported.laidOut.description ?? "" }),
    xchan_location: [profile.locality, profile.region, profile.country_name].filter((part) => part !== "").join(", "),
  });
}

/** An address of this hub is somebody's of this hub, whom it knows better, or nobody's. */
async function withoutOwn(hub: Hub, xchans: readonly RestoredXchan[], report: Report): Promise<RestoredXchan[]> {
  const own = xchans.filter(({ xchan_addr = "" }) => isHere(hub, xchan_addr));
  const known = new Set(
    (
      await findXchansByHash(
        hub,
        own.map((xchan) => xchan.xchan_hash),
      )
    ).map((xchan) => xchan.xchan_hash),
  );
  for (const { xchan_hash, xchan_addr = "" } of own) {
    const left = { left: "it has an address of this hub, where nobody knows it", example: xchan_addr };
    note(report, "xchan", known.has(xchan_hash) ? "there" : left);
  }
  return xchans.filter((xchan) => !own.includes(xchan));
}

/** Step 6. */
export async function importConnections(hub: Hub, channel: Channel, core: Core, report: Report): Promise<void> {
  const { head } = core;
  const own = channel.channel_hash;
  const all = connectionsOf(head, own);
  const identities = await findXchansByHash(
    hub,
    all.map(({ row }) => row.abook_xchan),
  );
  const known = new Set(identities.map((one) => one.xchan_hash));
  const self = selfOf(head, own) ?? readConnection({ abook_created: channel.channel_created });
  const selfRow = { ...self.row, abook_xchan: own, abook_self: 1, abook_pending: 0, abook_closeness: 0 };
  const some = all.filter(({ row }) => known.has(row.abook_xchan));
  const locations = (head.sections.get("hubloc") ?? []).map(
    (one) => [textIn(one, "hubloc_hash"), textIn(one, "hubloc_addr")] as const,
  );
  const addresses = new Map(locations);
  const added = await addConnections(hub, channel, [{ ...self, row: selfRow }, ...some]);
  const neighbours = [...core.neighbours.values()].filter((hash) => added.has(hash));
  const anew = [
    ...(await forgetFollows(hub, channel.channel_id, added)),
    ...(await forgetNeighbours(hub, channel.channel_id, neighbours)),
  ];
  await forgetRequests(hub, channel.channel_id, added);
  await askAnew(hub, channel, anew);
  for (const person of anew) remark(report, "abook", "whom you follow elsewhere is asked anew, from here", person);
  const stayed = await stayedAt(hub, channel.channel_id, formerHost(hub, head), added);
  await lookUpStayed(hub, channel, stayed);
  for (const address of stayed)
    remark(report, "abook", "who lives at your former hub is looked up there, to be reached from here", address);
  const former = provenFormerId(hub, channel, core);
  const followers = former === "" ? [] : await followersAmong(hub, channel.channel_id, added);
  await keepFollowers(hub, channel, former, followers);
  for (const person of followers)
    remark(report, "abook", "who follows you elsewhere can be told of this place once the old one is gone", person);
  for (const { row } of all) {
    const isKnown = known.has(row.abook_xchan);
    const outcome = added.has(row.abook_xchan) ? "imported" : "there";
    const example = addresses.get(row.abook_xchan) ?? row.abook_xchan;
    const left = { left: "its identity is not in the export", example };
    note(report, "abook", isKnown ? outcome : left);
  }
}

/**
 * The id of the channel where the export comes from, if others can know that it is the same one: by the key that stands behind both
 * (FEP-c390), which an export may lack.
 */
function provenFormerId(hub: Hub, channel: Channel, { head, record }: Core): string {
  const cameAlong =
    record.channel_ed25519_pubkey !== "" && record.channel_ed25519_pubkey === channel.channel_ed25519_pubkey;
  return cameAlong ? formerId(hub, head) : "";
}

/** Step 7. */
export async function importGroups(hub: Hub, channel: Channel, { head }: Core, report: Report): Promise<void> {
  const named = (head.sections.get("group_member") ?? []).map((record) => textIn(record, "xchan"));
  const known = new Set((await findXchansByHash(hub, [...new Set(named)])).map((one) => one.xchan_hash));
  const groups = groupsOf(head, (hash) => known.has(hash), report);
  const result = await addGroups(hub, channel.channel_id, groups);
  for (const { hash, gname } of groups) {
    const foreign = { left: "its hash belongs to a group of somebody else here", example: gname };
    note(report, "group", result.foreign.has(hash) ? foreign : result.added.has(hash) ? "imported" : "there");
  }
  const there = groups.reduce((sum, group) => sum + group.members.length, 0) - result.members;
  for (let count = 0; count < result.members; count++) note(report, "group_member", "imported");
  for (let count = 0; count < there; count++) note(report, "group_member", "there");
}
