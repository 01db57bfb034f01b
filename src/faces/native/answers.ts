import { z } from "zod";
import { permissionNames } from "../../domain/identity/channels/roles.ts";
import * as channel from "../../domain/portable/schemas/channel.ts";
import * as files from "../../domain/portable/schemas/files.ts";
import * as items from "../../domain/portable/schemas/items.ts";
import { digits, flag, text, time, url } from "../../domain/portable/schemas/kinds.ts";
import * as people from "../../domain/portable/schemas/people.ts";
import * as talk from "../../domain/portable/schemas/talk.ts";
import { deliveryStates } from "../../domain/webhooks/webhook-deliveries.ts";
import { webhookEvents } from "../../domain/webhooks/webhook-events.ts";
import { reasons } from "./reasons.ts";

/** What the endpoints answer: the records of the contract, and what is put around them. */

/** Connections alone are in no answer. */
const { Abook: _abook, ...others } = people;

const success = z.literal(true).meta({ description: "Always true." });
const itemList = z.array(items.FullItem);

/** Where an export comes from (native contract 6.1). */
const relocate = z
  .strictObject({
    channel_address: text("Nick of the channel.", "alma"),
    url: url("Address of the hub.", "https://hub.example"),
  })
  .meta({ description: "Where it comes from." });

/** Native contract 6.8. */
const FileExport = z.strictObject({
  fetch_url: url("Where other locations of the channel get its bytes, if they can.").optional(),
  original_channel: text("Nick of the channel.", "alma"),
  attach: z
    .array(files.ExportedFile)
    .min(1)
    .meta({ description: "The directories that lead to it from the top level, and the file itself." }),
  photo: z.array(files.Photo).optional().meta({ description: "Of an image, all of its renditions." }),
  item: itemList.optional().meta({ description: "Of an image, the item that stands for it with its comments." }),
});

/** The contract's words for what can be wrong (native contract 1.8). */
const words = Object.entries(reasons).flatMap(([reason, row]) => ("as" in row ? [] : [reason]));

/** Native contract 2.17. */
const Webhook = z.strictObject({
  id: digits("Its id.", "3"),
  url: url("Where events are told.", "https://receiver.example/hub"),
  events: z.array(z.enum(webhookEvents)).meta({ description: "What it is told.", examples: [["post.received"]] }),
  on: flag("Whether it is told anything.", "1"),
  paused: time("Since when it is off because the password of the account was changed; zero otherwise."),
  failures: digits("How many requests in a row have failed.", "0"),
  former_until: time("Until when requests are signed with the old secret as well; zero without one."),
  created: time("When it was added."),
});

const listOf = (schema: z.ZodType, description: string) => z.array(schema).optional().meta({ description });

export const answers = {
  ...channel,
  ...files,
  ...items,
  ...others,
  ...talk,
  FileExport,

  /** Native contract 1.8. */
  Error: z.strictObject({
    success: z.literal(false).meta({ description: "Always false." }),
    error: text("What is wrong, for people.", "File not found."),
    message: text("The same.", "File not found."),
    reason: z.enum(words).meta({ description: "What is wrong, for programs.", examples: ["not_found"] }),
    code: z.int().meta({ description: "Status of the answer.", examples: [404] }),
    request: text("The path that was asked for.", "/api/z/1.0/filemeta"),
    field: text("The parameter that is wrong.").optional(),
  }),

  Version: text("The version of the program.", "0.1.0"),
  Nick: text("Nick of a channel.", "alma"),

  /** Native contract 6.20. */
  Permission: z.strictObject({
    perm: z.enum(permissionNames).meta({ description: "The permission.", examples: ["view_stream"] }),
    allowed: z.boolean().meta({ description: "Whether the identity has it.", examples: [true] }),
  }),

  /** Native contract 6.2. */
  StoredActivity: z.strictObject({ success, item_id: digits("Id of the item.", "5120"), activity: items.Item }),

  /** Native contract 6.15. */
  StoredItem: z.strictObject({ success, item_id: digits("Id of the item.", "5120"), item: items.Item }),

  /** Native contract 6.16. */
  FullThread: z.strictObject({ item: itemList.meta({ description: "The first item, then the others by date." }) }),

  /** Federation contract 12.2. */
  DeliveryReport: z.strictObject({
    success,
    deliveries: z
      .array(
        z.strictObject({
          host: text("The other hub.", "far.example"),
          people: z.array(z.string()).meta({ description: "Addresses of those whom it reaches there." }),
          state: z
            .enum(["waiting", "done", "failed", "given up", "held"])
            .meta({ description: "How far it has come.", examples: ["done"] }),
          attempts: z.int().meta({ description: "How often it was tried.", examples: [1] }),
          last_status: z.int().meta({ description: "Status of the last answer; 0 without one.", examples: [202] }),
          last_error: text("What became of it, in words for people.", "Delivered"),
          next_at: text("When it is tried again, UTC; empty when it is not.", "2026-03-01 12:00:00"),
        }),
      )
      .meta({ description: "The latest activity about the item first." }),
    consent: z.enum(["", "asked", "given", "refused"]).meta({
      description:
        "Whether whoever wrote what the item answers, likes or shares lets it stand there; empty where they do not want to be asked.",
      examples: ["given"],
    }),
  }),

  Webhook,

  /** Native contract 6.23. */
  WebhookWithSecret: z.strictObject({
    success,
    webhook: Webhook,
    secret: text("What requests are signed with; told this once.", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
  }),

  /** Native contract 6.23. */
  WebhookDelivery: z.strictObject({
    id: digits("Its id.", "5120"),
    name: text("What the receiver knows it by (`webhook-id`).", "msg_5f0c21d9"),
    event: text("What has happened, or `test`.", "post.received"),
    state: z.enum(deliveryStates).meta({
      description: "How far it has come; withdrawn where its owner may not see it any more.",
      examples: ["delivered"],
    }),
    attempts: digits("How often it was sent.", "1"),
    status: digits("Status of the last answer; 0 without one.", "200"),
    error: text("Why there was no answer."),
    created: time("When it happened."),
    tried: time("When it was sent last."),
  }),

  Done: z.strictObject({ success }),

  /** Native contract 6.4. */
  FileList: z.strictObject({ success, results: z.array(files.FileEntry).meta({ description: "By date." }) }),

  /** Native contract 6.5. */
  FileMetaAnswer: z.strictObject({ attach: files.FileMeta }),

  /** Native contract 6.6. */
  FilePartAnswer: z.strictObject({ attach: files.FilePart }),

  /** Native contract 6.7. */
  FileAnswer: z.strictObject({ attach: files.File }),

  /** Native contract 6.8. */
  FileExportPage: z.strictObject({
    success: z.boolean().meta({ description: "False past the end.", examples: [true] }),
    total: z.int().meta({ description: "How many files and directories there are.", examples: [12] }),
    results: z.array(FileExport).max(1).meta({ description: "The one of this page, or nothing past the end." }),
  }),

  /** Native contract 6.9. */
  AlbumList: z.strictObject({
    success,
    albums: z.array(files.Album).meta({ description: "The top level first, then by name." }),
  }),

  /** Native contract 6.10. */
  PhotoList: z.strictObject({
    success,
    photos: z.array(files.PhotoEntry).meta({ description: "By date, photo and rendition." }),
  }),

  /** Native contract 6.11. */
  PhotoAnswer: z.strictObject({
    photo: files.Photo,
    item: itemList.meta({ description: "The item that stands for the photo, and its comments." }),
  }),

  /** Native contract 6.17. */
  ItemPage: z.strictObject({
    relocate,
    items_total: digits("How many items there are.", "230"),
    items_page: z.int().meta({ description: "How many a page has.", examples: [10] }),
    item: itemList.meta({ description: "Oldest first." }),
  }),

  /** Native contract 6.1. */
  ChannelExport: z.strictObject({
    compatibility: z
      .strictObject({
        project: text("The program that wrote it.", "hubbub"),
        version: text("Its version.", "0.1.0"),
        database: z.int().meta({ description: "Number of the form of exports.", examples: [1188] }),
        server_role: text("Kind of hub.", "standard"),
      })
      .meta({ description: "What wrote it." }),
    relocate,
    channel: channel.ExportedChannel.optional(),
    profile: listOf(channel.Profile, "Its profiles."),
    photo: z
      .strictObject({ type: text("Its type.", "image/png"), data: text("Its bytes in base64url.", "iVBORw0KGgo") })
      .optional()
      .meta({ description: "Its picture, if it has one." }),
    abook: listOf(people.ExportedAbook, "Its connections, itself included."),
    xchan: listOf(people.XchanRecord, "The identities of all connections."),
    hubloc: listOf(people.Hubloc, "Their locations."),
    group: listOf(people.Group, "Its groups, deleted ones included."),
    group_member: listOf(people.Membership, "Who is in them."),
    atoken: listOf(channel.Guest, "Its guests."),
    config: listOf(channel.Config, "Its settings."),
    term: listOf(items.Term, "Saved searches and things."),
    followed_tag: listOf(channel.FollowedTag, "Hashtags that it follows."),
    filter: listOf(channel.Filter, "What it does not want to read."),
    draft: listOf(channel.Draft, "What it has typed and not sent."),
    obj: listOf(channel.Thing, "Things."),
    likes: listOf(channel.ProfileLike, "Who likes its profile."),
    app: listOf(channel.App, "Its apps."),
    sysapp: listOf(channel.App, "Apps of the program that it has installed."),
    chatroom: listOf(channel.Chatroom, "Its chatrooms."),
    event: listOf(talk.Event, "Its events."),
    event_item: listOf(items.FullItem, "The items of its events."),
    menu: listOf(talk.Menu, "Its menus."),
    webpages: listOf(items.FullItem, "Its pages, blocks and layouts."),
    conv: listOf(talk.Conversation, "Its conversations."),
    mail: listOf(talk.Mail, "Its messages."),
    wiki: listOf(items.FullItem, "Its wikis, with every version of every page."),
    item: listOf(items.FullItem, "Posts of the last three months."),
    elsewhere: listOf(
      items.FullItem,
      "Threads of others in which it wrote or reacted, or which it marked or has not read.",
    ),
    notify: listOf(talk.Notice, "Its notices."),
  }),
} as const;
