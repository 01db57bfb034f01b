import { z } from "zod";
import { dismissAnnouncement, readAnnouncements } from "../../../domain/announcements/announcements.ts";
import { addAnnouncementReaction, removeAnnouncementReaction } from "../../../domain/announcements/reactions.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { flag, id, requiredText } from "../parameters.ts";
import { presentAnnouncement } from "./present-announcement.ts";

const one = { id: id("Id of the announcement.") };
const reaction = z.object({ ...one, name: requiredText("The emoji.") });
const path = "v1/announcements/:id/reactions/:name";
const deed = { access: "channel", writes: true, answer: "Nothing", present: () => ({}) } as const;

/** Mastodon contract 12.2: what those who run the hub say to all members. */
export const announcementRows = [
  endpoint({
    path: "v1/announcements",
    methods: ["GET"],
    access: "channel",
    summary: "What those who run the hub say to all members, the newest first.",
    answer: "Announcement[]",
    input: z.object({ with_dismissed: flag("Also what the caller has dismissed.") }),
    handle: (hub, { channel }, input) => readAnnouncements(hub, channel.channel_id, input.with_dismissed),
    present: (all) => all.map(presentAnnouncement),
  }),
  endpoint({
    ...deed,
    path: "v1/announcements/:id/dismiss",
    whileMoved: true,
    methods: ["POST"],
    scope: "write:accounts",
    summary: "The caller has read it.",
    example: { id: "3" },
    input: z.object(one),
    handle: (hub, { channel }, input) => dismissAnnouncement(hub, channel.channel_id, input.id),
  }),
  endpoint({
    ...deed,
    path,
    methods: ["PUT"],
    scope: "write:favourites",
    summary: "Says something to it by an emoji.",
    errors: {
      unknown_verb: [422, "Validation failed: Name is not a recognized emoji"],
      reactions_too_many: [422, "Validation failed: Limit of different reactions reached"],
    },
    example: { id: "3", name: "🎉" },
    input: reaction,
    handle: (hub, { channel }, input) => addAnnouncementReaction(hub, channel.channel_id, input.id, input.name),
  }),
  endpoint({
    ...deed,
    path,
    methods: ["DELETE"],
    scope: "write:favourites",
    summary: "Takes that back; harmless where it was not said.",
    example: { id: "3", name: "🎉" },
    input: reaction,
    handle: (hub, { channel }, input) => removeAnnouncementReaction(hub, channel.channel_id, input.id, input.name),
  }),
];
