import { z } from "zod";
import { findShown } from "../../../domain/items/find.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { originalSeen } from "../../../domain/items/posting/reshares.ts";
import { sourceOf } from "../../../domain/items/source-text.ts";
import { findNamed } from "../../../domain/items/timelines/find-statuses.ts";
import { threadOf } from "../../../domain/items/timelines/thread.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import { removeMessage } from "../../../domain/messages/messages.ts";
import type { Mail } from "../../../domain/messages/messages.ts";
import { missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { ids } from "../parameters.ts";
import { presentMail } from "../present/mail-status.ts";
import type { MailSheet } from "../present/mail-status.ts";
import { presentStatus } from "../present/status.ts";
import type { StatusObject } from "../present/status-object.ts";
import { seeing } from "../seeing.ts";
import { contextOf } from "./context.ts";
import { showMails } from "./mail-answers.ts";
import { aroundMail, mailNamed, showMail } from "./mails.ts";
import { namedBy, showOne, statusId } from "./named-status.ts";
import { postInput, postStatus } from "./post-status.ts";
import { presentScheduled } from "../present/scheduled.ts";
import type { Waiting } from "../present/scheduled.ts";
import { showWaiting } from "./scheduled.ts";
import { manyStatuses, showStatuses } from "./status-answers.ts";
import type { StatusAnswers } from "./status-answers.ts";

const mostNamed = 40;

/** How much of a thread is looked at, and answered (mastodon contract 5.4). */
const mostOfThread = 10_000;
const forCallers = { ancestors: 4096, descendants: 4096, depth: Number.MAX_SAFE_INTEGER };
const forNobody = { ancestors: 40, descendants: 60, depth: 20 };

/** What posting has made: a status, or something that waits for its date. */
type Posted = SaidAnswers | { waiting: Waiting };

/** A post, or a message as one. */
type SaidAnswers = { sheet: StatusAnswers } | { mails: MailSheet };

/** Mastodon contract 12.5. */
export const statusRows = [
  endpoint({
    path: "v1/statuses",
    methods: ["POST"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Posts or answers, at once or later; with `Idempotency-Key` once, however often it is sent.",
    errors: {
      unknown_media: "Validation failed: Media not found",
      no_content: "Validation failed: Text can't be blank",
      not_shareable: [422, "Validation failed: Only public posts can be quoted"],
      blocked_by_you: [422, "Validation failed: You have blocked somebody whom it names"],
      quotes_limited: [422, "Validation failed: Its author does not let you quote it"],
    },
    example: { status: "Hello" },
    input: postInput,
    answer: "Status | ScheduledStatus",
    async handle(hub, caller, input, exchange): Promise<Posted> {
      const made = await postStatus(hub, caller, input, exchange);
      if ("mail" in made) return { mails: await showMails(hub, caller, [made.mail]) };
      const { item } = made;
      if (item.item_delayed === 1) return { waiting: await showWaiting(hub, caller, [item], exchange) };
      return { sheet: await showStatuses(hub, caller, [item]) };
    },
    present: (posted) =>
      "waiting" in posted ? presentScheduled(posted.waiting, posted.waiting.items[0]!) : presentShown(posted),
  }),
  endpoint({
    path: "v1/statuses",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "Several posts, in the order in which they are named; what is not there is left out.",
    example: { "id[]": "812" },
    input: z.object({ id: ids("Ids of the posts, at most 40.", mostNamed) }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const found = await findNamed(hub, anybody.observer, input.id);
      const named = new Map([...found].map(([id, item]) => [item.message_id, id]));
      return showStatuses(hub, anybody, [...found.values()], { named });
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "v1/statuses/:id",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "One post.",
    example: { id: "812" },
    input: statusId,
    answer: "Status",
    async handle(hub, caller, input): Promise<SaidAnswers> {
      const anybody = await seeing(hub, caller);
      const mail = mailNamed(input.id);
      if (mail !== undefined) return { mails: await showMail(hub, anybody, mail) };
      return { sheet: await showOne(hub, anybody, input.id) };
    },
    present: presentShown,
  }),
  endpoint({
    path: "v1/statuses/:id",
    methods: ["DELETE"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Deletes a post of the caller, or one on the caller's wall; answers it as it was.",
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input): Promise<SaidAnswers & { text: string }> {
      const { channel } = caller;
      const mail = mailNamed(input.id);
      if (mail !== undefined) {
        const mails = await showMail(hub, caller, mail);
        return { mails, text: (await removeMessage(hub, channel, mail)).body };
      }
      const item = await findShown(hub, caller.observer, { id: input.id });
      // What is somebody else's elsewhere is not deleted, and its copy neither.
      const isOwn = item.author_id === channel.xchan_id || item.owner_id === channel.xchan_id;
      if (!isOwn) throw missing("Item");
      const before = await showStatuses(hub, caller, [item], { named: namedBy(item, input.id) });
      await deleteItem(hub, channel, { id: item.id });
      return { sheet: before, text: (await sourceOf(hub, item)).text };
    },
    answer: "Status",
    present: ({ text, ...shown }) => ({ ...presentShown(shown), text }),
  }),
  endpoint({
    path: "v1/statuses/:id/context",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "What a post answers, and what answers it.",
    answer: "Context",
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input): Promise<Around> {
      const anybody = await seeing(hub, caller);
      const mail = mailNamed(input.id);
      if (mail !== undefined) {
        const { sheet, before, after } = await aroundMail(hub, anybody, mail);
        const show = (one: Mail) => presentMail(sheet, one);
        return { ancestors: before.map(show), descendants: after.map(show) };
      }
      const { observer } = anybody;
      const item = await originalSeen(hub, observer, await findShown(hub, observer, { id: input.id }));
      const { ancestors, descendants } = contextOf(
        await threadOf(hub, observer, item, mostOfThread),
        item,
        caller ? forCallers : forNobody,
      );
      const named = namedBy(item, input.id);
      const sheet = await showStatuses(hub, anybody, [...ancestors, ...descendants], { named, others: [item] });
      const show = (item: ApplicationItem) => presentStatus(sheet, item);
      return { ancestors: ancestors.map(show), descendants: descendants.map(show) };
    },
  }),
];

type Around = { ancestors: StatusObject[]; descendants: StatusObject[] };

function presentShown(shown: SaidAnswers): StatusObject {
  return "mails" in shown
    ? presentMail(shown.mails, shown.mails.mails[0]!)
    : presentStatus(shown.sheet, shown.sheet.page.items[0]!);
}
