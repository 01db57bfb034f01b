import { z } from "zod";
import { editPost } from "../../../domain/cloud/edit-post.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import { findOwnWriting, findShown } from "../../../domain/items/find.ts";
import { formerVersions } from "../../../domain/items/history.ts";
import { setQuoters } from "../../../domain/items/posting/set-quoters.ts";
import { originalSeen } from "../../../domain/items/posting/reshares.ts";
import { loadStatusMedia } from "../../../domain/items/timelines/status-media.ts";
import { sourceOf } from "../../../domain/items/source-text.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { objects, optionalFlag, optionalTexts, text } from "../parameters.ts";
import { presentEdit } from "../present/edit.ts";
import type { Former } from "../present/edit.ts";
import { seeing } from "../seeing.ts";
import { changedMedia } from "./media-input.ts";
import { refuseMail } from "./mails.ts";
import { showOne, statusId } from "./named-status.ts";
import { pollIn } from "./polls.ts";
import { checkLength, formatIn, languageIn, mediaIdsIn, quotersIn, titleIn } from "./post-input.ts";
import { oneStatus, showStatuses } from "./status-answers.ts";
import type { StatusAnswers } from "./status-answers.ts";

const editInput = z.object({
  ...statusId.shape,
  status: text("What the post says; left out, its words stay."),
  spoiler_text: text("Its content warning; left out, it stays."),
  sensitive: optionalFlag("It is not for every eye."),
  language: text("Code of its language."),
  media_ids: optionalTexts("Ids of its files, in place of those that it has; left out, these stay."),
  media_attributes: objects("Descriptions and focal points of its files: objects with `id`, `description`, `focus`."),
  poll: objects("Its poll; with other options it begins anew."),
  content_type: text("Format of the text; left out, it stays."),
  title: text("Its title; left out, it stays."),
  friendica: objects("The `title` where programs for Friendica put it."),
  quote_approval_policy: text("Who may quote it from now on: `public`, `followers` or `nobody`; left out, it stays."),
});

type History = { sheet: StatusAnswers; versions: Former[] };

/** Mastodon contract 12.5 and 13.3: what a post says, said and shall say. */
export const editRows = [
  endpoint({
    path: "v1/statuses/:id",
    methods: ["PUT"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Changes a post of the caller: what is left out stays.",
    errors: {
      unknown_media: "Validation failed: Media not found",
      no_content: "Validation failed: Text can't be blank",
    },
    example: { id: "812", status: "Hello again" },
    input: editInput,
    async handle(hub, caller, input) {
      const { observer, channel } = caller;
      await refuseMail(hub, caller, input.id);
      const item = await findShown(hub, observer, { id: input.id });
      if (item.author_id !== channel.xchan_id) throw missing("Item");
      checkLength(hub, input.status, input.spoiler_text ?? (input.status === undefined ? "" : item.summary));
      const mediaIds = input.media_ids && mediaIdsIn(input.media_ids, item);
      const poll = pollIn(hub, input.poll);
      const lang = languageIn(input.language);
      const own = await findOwnWriting(hub, channel, { mid: item.mid });
      const title = titleIn(input);
      await editPost(hub, channel, own.id, {
        text: input.status,
        quoters: quotersIn(input.quote_approval_policy, "Quote approval policy"),
        ...(title !== undefined && { title }),
        ...(input.spoiler_text !== undefined && { summary: input.spoiler_text }),
        ...(input.sensitive !== undefined && { nsfw: input.sensitive }),
        ...(lang !== undefined && { lang }),
        ...(input.content_type ? { mimetype: formatIn(input.content_type) } : {}),
        ...(mediaIds && { mediaIds }),
        ...(poll && { poll }),
        ...changedMedia(input.media_attributes),
        sharesFiles: true,
        ownNicks: true,
      });
      return showOne(hub, caller, input.id);
    },
    ...oneStatus,
  }),
  endpoint({
    path: "v1/statuses/:id/history",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "What a post said before it was edited, and says now; the oldest first.",
    answer: "StatusEdit[]",
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input): Promise<History> {
      const anybody = await seeing(hub, caller);
      const named = await findShown(hub, anybody.observer, { id: input.id });
      const item = await originalSeen(hub, anybody.observer, named);
      const sheet = await showStatuses(hub, anybody, [item]);
      return { sheet, versions: await loadFormer(hub, item) };
    },
    present: ({ sheet, versions }: History) => [...versions, undefined].map((version) => presentEdit(sheet, version)),
  }),
  endpoint({
    path: "v1/statuses/:id/source",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "A post of the caller as it was typed.",
    answer: "StatusSource",
    example: { id: "812" },
    input: statusId,
    async handle(hub, { observer, channel }, input) {
      const item = await findShown(hub, observer, { id: input.id });
      if (item.author_id !== channel.xchan_id) throw missing("Item");
      const { text } = await sourceOf(hub, item);
      return { id: String(input.id), text, spoiler_text: item.summary };
    },
  }),
  endpoint({
    path: "v1/statuses/:id/interaction_policy",
    methods: ["PUT"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Says who may quote a post of the caller from now on.",
    example: { id: "812", quote_approval_policy: "followers" },
    input: statusId.extend({ quote_approval_policy: text("`public`, `followers` or `nobody`; left out, it stays.") }),
    async handle(hub, caller, input) {
      const { observer, channel } = caller;
      await refuseMail(hub, caller, input.id);
      const item = await findShown(hub, observer, { id: input.id });
      if (item.author_id !== channel.xchan_id) throw missing("Item");
      const quoters = quotersIn(input.quote_approval_policy, "Quote approval policy");
      if (quoters) await setQuoters(hub, channel, { mid: item.mid }, quoters);
      return showOne(hub, caller, input.id);
    },
    ...oneStatus,
  }),
];

/** Former versions of a post with the files that they show, in two queries. What is said of a file today is not what was said then. */
async function loadFormer(hub: Hub, item: ApplicationItem): Promise<Former[]> {
  const versions = await formerVersions(hub, item.message_id);
  const known = await loadStatusMedia(
    hub,
    versions.map(({ html, attach }) => ({ ...item, html, attach })),
  );
  const media = new Map(Array.from(known, ([hash, file]) => [hash, { ...file, description: "" }]));
  return versions.map((version) => ({ ...version, media }));
}
