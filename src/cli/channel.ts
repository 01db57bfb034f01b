import type { Channel } from "../domain/identity/channels/channel.ts";
import { createChannel, listChannels } from "../domain/identity/channels/channels.ts";
import { rotateKeys } from "../domain/identity/channels/transport-keys.ts";
import { removeChannel } from "../domain/connections/remove-channel.ts";
import { moveTo, refuseMoved } from "../domain/identity/channels/moved.ts";
import { listLists, startList } from "../domain/import/lists/lists.ts";
import { appoint } from "../domain/peers/scout.ts";
import { lookElsewhere } from "../domain/people/look-elsewhere.ts";
import { scout } from "../faces/federation/retrieve/scout.ts";
import { CommandError } from "./error-message.ts";
import { exportCommand } from "./channel-export.ts";
import { command } from "./command.ts";
import { importOptions, runChannelImport } from "./channel-import.ts";
import { reportText } from "./import-report.ts";
import { localAccount } from "./local-account.ts";
import { localChannel } from "./local-channel.ts";
import { readRole } from "./role.ts";
import { table } from "./table.ts";
import { withFiles, withHub } from "./with-hub.ts";

export const commands = [
  command({
    name: "channel create",
    summary: "give an account one more channel",
    options: {
      email: { value: "address", meaning: "e-mail address of the account", required: true },
      nick: { value: "nick", meaning: "short name of the channel", required: true },
      name: { value: "name", meaning: "full name of the channel", required: true },
      role: { value: "role", meaning: "role of the channel (social)" },
    },
    run: (call, { email, nick, name, role }) =>
      withHub(call, async (hub) => {
        const account = await localAccount(hub, email);
        return summaryOf(await createChannel(hub, account, { nick, name, role: readRole(role) }));
      }),
    print: ({ channel_id, nick }) => `Channel ${channel_id} (${nick}) is there.`,
  }),
  command({
    name: "channel list",
    summary: "show all channels",
    run: (call) => withHub(call, async (hub) => (await listChannels(hub)).map(summaryOf)),
    print: (channels) => table(channels, ["channel_id", "account_id", "nick", "name", "created"]),
  }),
  command({
    name: "channel import",
    summary: "bring a channel here from an export or from another hub; cut off and called again, it goes on",
    arguments: { source: "file with an export or archive, or address of the other hub" },
    options: importOptions,
    run: (call, input) => withFiles(call, (hub) => runChannelImport(hub, input)),
    print: reportText,
    failed: ({ report }) => report.failure !== undefined,
  }),
  command({
    name: "channel move",
    summary: "have a channel go on as an account of another hub, which names it as one of its own",
    arguments: { nick: "short name of the channel", address: "the other account, such as name@example.org" },
    run: (call, { nick, address }) =>
      withHub(call, async (hub) => {
        const channel = await localChannel(hub, nick);
        appoint(hub, scout);
        const looked = await lookElsewhere(hub, channel, address);
        if (!("person" in looked)) throw new CommandError(`Nobody is found at ${address}.`);
        await moveTo(hub, channel, looked.person);
        return { ...summaryOf(channel), moved_to: looked.person.xchan_hash };
      }),
    print: ({ nick, moved_to }) => `Channel ${nick} goes on as ${moved_to}.`,
  }),
  command({
    name: "channel tell-followers",
    summary: "tell who followed an imported channel at its old place, which must be gone for good, that it is here now",
    arguments: { nick: "short name of the channel" },
    run: (call, { nick }) =>
      withHub(call, async (hub) => {
        const channel = await localChannel(hub, nick);
        refuseMoved(channel);
        const { channel_id: uid } = channel;
        const waiting = ["read", "stopped"];
        const lists = (await listLists(hub, uid)).filter(
          ({ kind, state }) => kind === "followers" && waiting.includes(state),
        );
        if (lists.length === 0) throw new CommandError(`No followers of ${nick} wait to be told.`);
        for (const { id } of lists) await startList(hub, uid, id);
        return { ...summaryOf(channel), former: lists.map(({ former }) => former) };
      }),
    print: ({ nick, former }) => `Followers of ${former.join(", ")} are told that ${nick} is here now.`,
  }),
  command({
    name: "channel rotate-keys",
    summary: "have a channel sign what goes to other hubs with a new key; the old one still holds for 48 hours",
    arguments: { nick: "short name of the channel" },
    run: (call, { nick }) =>
      withHub(call, async (hub) => {
        const channel = await localChannel(hub, nick);
        return { ...summaryOf(channel), key: await rotateKeys(hub, channel) };
      }),
    print: ({ nick, key }) => `Channel ${nick} signs with ${key}. The key before holds for 48 hours more.`,
  }),
  command({
    name: "channel remove",
    summary: "remove a channel for good",
    arguments: { nick: "short name of the channel" },
    run: (call, { nick }) =>
      withHub(call, async (hub) => {
        const channel = await localChannel(hub, nick);
        await removeChannel(hub, channel.channel_id);
        return { ...summaryOf(channel), removed: true };
      }),
    print: ({ nick }) => `Channel ${nick} is removed.`,
  }),
  exportCommand,
];

function summaryOf(channel: Channel) {
  return {
    channel_id: channel.channel_id,
    account_id: channel.channel_account_id,
    nick: channel.channel_address,
    name: channel.channel_name,
    hash: channel.channel_hash,
    created: channel.channel_created,
  };
}
