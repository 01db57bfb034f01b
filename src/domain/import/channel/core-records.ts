import type { Hub } from "../../../hub.ts";
import type { RestoredHubloc, RestoredXchan } from "../../identity/restoring/restore-xchans.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import { isHere } from "../../identity/xchans/web-url.ts";
import { disagree, harmlessHubloc, harmlessXchan } from "../people/hearsay.ts";
import type { ConnectionRecord, GroupRecord, HublocRecord, XchanRecord } from "../sources/records.ts";
import { readConnection, readGroup, readHubloc, readXchan } from "../sources/records.ts";
import { note, remark } from "../report.ts";
import type { Report } from "../report.ts";
import type { Head } from "../sources/source.ts";
import { fit } from "../sources/shape.ts";
import { numberIn, textIn } from "../../identity/records/portable-fields.ts";
import type { RestoredGroup } from "../../groups/restore.ts";
import { fitsList } from "../../identity/records/access-list.ts";

/** The identities of an export, each once, with what nobody else can be harmed by. What is left out is noted. */
export function trustedXchans(hub: Hub, head: Head, own: string, report: Report): RestoredXchan[] {
  const found = new Map<string, RestoredXchan>();
  for (const record of head.sections.get("xchan") ?? []) {
    const xchan = readXchan(record);
    if (xchan.xchan_hash === own) continue;
    const flaw = found.has(xchan.xchan_hash) ? "it is in the export twice" : xchanFlaw(hub, xchan);
    if (flaw) note(report, "xchan", { left: flaw, example: xchan.xchan_addr || xchan.xchan_hash });
    else found.set(xchan.xchan_hash, isHere(hub, xchan.xchan_addr) ? xchan : harmlessXchan(hub, xchan));
    if (!flaw && disagree(xchan)) remark(report, "xchan", otherHost, xchan.xchan_addr);
  }
  return [...found.values()];
}

const otherHost = "came without its address and its URL, because they name different hosts";

/** Who lives here is known here: an address of this hub that it does not know is nobody's. */
function xchanFlaw(hub: Hub, xchan: XchanRecord): string | undefined {
  const { xchan_hash: hash, xchan_guid: guid, xchan_guid_sig: signature, xchan_pubkey: key } = xchan;
  if (!fitsList(hash)) return "it has no readable hash";
  if (!fit(hash, guid, xchan.xchan_addr, xchan.xchan_url)) return "its names are too long";
  if (xchan.xchan_network === "token" || xchan.xchan_network === "anon") return "guests come with their keys";
  if (isHere(hub, xchan.xchan_addr)) return undefined;
  if (xchan.xchan_network === "zot" && !verifySignature(key, guid, signature))
    return "it is forged: its signature does not fit its key";
  return undefined;
}

/** The locations of known identities whose signature fits; `keyOf` answers the key of an identity, if it is known. */
export function trustedHublocs(
  head: Head,
  keyOf: (hash: string) => string | undefined,
  report: Report,
): RestoredHubloc[] {
  return (head.sections.get("hubloc") ?? []).flatMap((record) => {
    const hubloc = harmlessHubloc(readHubloc(record));
    const flaw = hublocFlaw(hubloc, keyOf(hubloc.hubloc_hash));
    if (!flaw) return [hubloc];
    note(report, "hubloc", { left: flaw, example: hubloc.hubloc_addr || hubloc.hubloc_url });
    return [];
  });
}

function hublocFlaw(hubloc: HublocRecord, key: string | undefined): string | undefined {
  if (key === undefined) return "its identity is not in the export";
  if (hubloc.hubloc_url === "") return "it has no address";
  if (hubloc.hubloc_network !== "zot") return undefined;
  if (!verifySignature(key, hubloc.hubloc_guid, hubloc.hubloc_guid_sig))
    return "it is forged: its signature does not fit the key of the identity";
  return undefined;
}

/** The connections of the export, each identity once; the channel's own row is not among them. */
export function connectionsOf(head: Head, own: string): ConnectionRecord[] {
  const found = new Map<string, ConnectionRecord>();
  for (const record of head.sections.get("abook") ?? []) {
    const connection = readConnection(record);
    const hash = connection.row.abook_xchan;
    const isOther = hash !== own && connection.row.abook_self === 0;
    if (isOther && hash !== "" && !found.has(hash)) found.set(hash, connection);
  }
  return [...found.values()];
}

/** What the export says about the channel itself. */
export function selfOf(head: Head, own: string): ConnectionRecord | undefined {
  return (head.sections.get("abook") ?? [])
    .map(readConnection)
    .find(({ row }) => row.abook_self === 1 || row.abook_xchan === own);
}

/** The privacy groups with those of their members that `isKnown`. */
export function groupsOf(head: Head, isKnown: (hash: string) => boolean, report: Report): RestoredGroup[] {
  const members = new Map<number, string[]>();
  for (const record of head.sections.get("group_member") ?? []) {
    const [gid, xchan] = [numberIn(record, "gid"), textIn(record, "xchan")];
    if (!isKnown(xchan)) note(report, "group_member", { left: "its identity is not known", example: xchan });
    else members.set(gid, [...(members.get(gid) ?? []), xchan]);
  }
  return (head.sections.get("group") ?? []).flatMap((record) => {
    const group = readGroup(record);
    if (isReadable(group)) return [{ ...group, members: members.get(group.id) ?? [] }];
    note(report, "group", { left: "it has no readable hash or name", example: group.gname });
    return [];
  });
}

function isReadable({ hash, gname }: GroupRecord): boolean {
  return hash !== "" && gname !== "" && !/[<>[\]]/.test(hash) && fit(hash, gname);
}
