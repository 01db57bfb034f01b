import { refusal, certain } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isClosed } from "../../identity/accounts/accounts.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { holdAccount } from "../../identity/channels/hold.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import { findRestored } from "../../identity/restoring/restore-channel.ts";
import { recordAppearance } from "../../identity/xchans/appearance.ts";
import { signWith } from "../../identity/xchans/signing.ts";
import { siteKeys } from "../../identity/site/site-settings.ts";
import { isHere } from "../../identity/xchans/web-url.ts";
import { importChannelRow } from "./core-channel.ts";
import { importConnections, importGroups, importIdentities } from "./core-people.ts";
import { trustedHublocs, trustedXchans } from "./core-records.ts";
import { importConfigs, importProfiles, prepareProfiles } from "./core-settings.ts";
import type { Core, CoreOptions } from "./core-types.ts";
import { checkIdentity, proofKeysOf } from "../people/keys.ts";
import { byNamesHere, neighboursIn } from "../people/neighbours.ts";
import { readChannel } from "../sources/records.ts";
import { emptyReport, note, warn } from "../report.ts";
import type { Report } from "../report.ts";
import { checkCompatibility, formatWarnings, isEscaped } from "../sources/source.ts";
import type { Head } from "../sources/source.ts";

const bothGoOn =
  "The channel goes on at the old place, too, and each place by itself: what is written, or comes in, at one of them from now on does not reach the other. Another import brings what is new there; a move closes the old place.";

/** Reads and checks the identity of an export and all that belongs to it. Throws invalid, conflict. */
export async function prepareCore(
  hub: Hub,
  given: Head,
  { accountId, mode: wanted, nick }: CoreOptions,
): Promise<Core> {
  checkCompatibility(given);
  const neighbours = await neighboursIn(hub, given);
  const head = byNamesHere(given, neighbours);
  const record = readChannel(head.channel!);
  const report = emptyReport();
  for (const warning of formatWarnings(head)) warn(report, warning);
  // Their secrets are in no export.
  warn(report, "Applications that used the channel stay behind: connect them again on this hub.");
  const mode = textIn(head.compatibility!, "server_role") === "basic" ? "moving" : wanted;
  if (mode !== "moving" && !isHere(hub, head.relocate.url)) warn(report, bothGoOn);
  checkIdentity(record);
  if (isHere(hub, head.relocate.url) && !(await findRestored(hub, accountId, record))) {
    throw refusal("export_not_from_here");
  }
  const xchans = trustedXchans(hub, head, record.channel_hash, report);
  const keys = new Map(xchans.map((xchan) => [xchan.xchan_hash, xchan.xchan_pubkey ?? ""]));
  keys.set(record.channel_hash, record.channel_pubkey);
  const ed25519 = proofKeysOf(record) ?? (await hub.makeKeys()).ed25519;
  const site = await siteKeys(hub);
  return {
    head,
    record,
    mode,
    nick: nick || head.relocate.nick || record.channel_address,
    ed25519,
    urlSignature: await signWith(record.channel_prvkey, hub.config.baseUrl),
    siteKey: site.publicKey,
    xchans,
    hublocs: trustedHublocs(head, (hash) => keys.get(hash), report),
    escaped: isEscaped(head) ?? false,
    neighbours,
    report,
  };
}

/** Steps 1 to 7 of native contract 7.5 in one transaction; repeating it adds nothing twice. */
export async function importCore(
  hub: Hub,
  accountId: number,
  core: Core,
): Promise<{ channel: Channel; report: Report }> {
  const report = structuredClone(core.report);
  const profiles = await prepareProfiles(hub, core);
  const channel = await inTransaction(hub, async (hub) => {
    const account = await holdAccount(hub, accountId);
    if (!account || isClosed(account)) throw refusal("account_closed_meanwhile");
    const { channel, isNew } = await importChannelRow(hub, accountId, core);
    note(report, "channel", isNew ? "imported" : "there");
    await importConfigs(hub, channel, core, report);
    await importProfiles(hub, channel, profiles, report);
    await importIdentities(hub, channel, core, profiles, report);
    await importConnections(hub, channel, core, report);
    await importGroups(hub, channel, core, report);
    if (["channel", "config", "profile"].some((section) => report.sections[section]?.imported))
      await recordAppearance(hub, channel.channel_id);
    return certain(await findChannelById(hub, channel.channel_id), "channel");
  });
  return { channel, report };
}
