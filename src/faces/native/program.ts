import { z } from "zod";
import { findChannelById, listChannels } from "../../domain/identity/channels/channels.ts";
import { leaveFor } from "../../domain/identity/channels/moved.ts";
import { findXchan } from "../../domain/identity/xchans/xchans.ts";
import { missing } from "../../errors.ts";
import { endpoint } from "../../http/endpoint.ts";
import { requiredText } from "./parameters.ts";
import { version } from "../../version.ts";
import { channelRecord } from "../../domain/portable/channel.ts";

/** Native contract 6.21. */
export const programRows = [
  endpoint({
    path: "version",
    methods: ["GET", "POST"],
    access: "public",
    formats: ["json", "xml"],
    summary: "The version of the program; clients find the API by it.",
    answer: "Version",
    input: z.object({}),
    handle: () => version,
    xml: (text: string) => ({ name: "version", text }),
  }),
  endpoint({
    path: "verify",
    methods: ["GET", "POST"],
    access: "channel",
    summary: "The record of the channel that the credentials act as; clients test credentials with it.",
    answer: "Channel",
    input: z.object({}),
    async handle(hub, { channel }) {
      const xchan = await findXchan(hub, { id: channel.xchan_id });
      if (!xchan) throw missing("Channel");
      return { channel, xchan };
    },
    present: ({ channel, xchan }) => channelRecord(channel, xchan),
  }),
  endpoint({
    path: "channel/moved",
    methods: ["POST"],
    access: "channel",
    ownPassword: true,
    secure: true,
    writes: true,
    whileMoved: true,
    summary: "Marks the channel as moved to another hub: here it can only be read from now on. The new hub calls this.",
    answer: "Channel",
    example: { url: "https://new.example", nick: "alma" },
    input: z.object({
      url: requiredText("Base URL of the new hub."),
      nick: requiredText("Nick of the channel there."),
    }),
    async handle(hub, { channel }, input) {
      await leaveFor(hub, channel, input);
      const [moved, xchan] = [
        await findChannelById(hub, channel.channel_id),
        await findXchan(hub, { id: channel.xchan_id }),
      ];
      if (!moved || !xchan) throw missing("Channel");
      return { channel: moved, xchan };
    },
    present: ({ channel, xchan }) => channelRecord(channel, xchan),
  }),
  endpoint({
    path: "channel/list",
    methods: ["GET", "POST"],
    access: "channel",
    summary: "The addresses of all active channels of the account.",
    answer: "Nick[]",
    input: z.object({}),
    handle: (hub, { account }) => listChannels(hub, account.account_id),
    present: (channels) => channels.map((channel) => channel.channel_address),
  }),
];
