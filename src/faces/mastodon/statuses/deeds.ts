import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findShown } from "../../../domain/items/find.ts";
import { react, unreact } from "../../../domain/items/posting/react.ts";
import { originalSeen, reshare, takeReshareBack } from "../../../domain/items/posting/reshares.ts";
import { followThread } from "../../../domain/items/posting/follow.ts";
import { setPinned } from "../../../domain/items/posting/pin.ts";
import { setStarred } from "../../../domain/items/posting/star.ts";
import { unlessMissing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { invalid, text } from "../parameters.ts";
import { refuseMail } from "./mails.ts";
import { namedBy, showOne, statusId } from "./named-status.ts";
import { oneStatus, showStatuses } from "./status-answers.ts";

/** What one does with a post (mastodon contract 12.5); what is done with a share is done with what it repeats (mastodon contract 5.5). */
export const deedRows = [
  deed("favourite", "write:favourites", "Likes a post; everybody who sees it sees that.", (hub, { channel }, item) =>
    react(hub, channel, item, "like", "stays"),
  ),
  deed("unfavourite", "write:favourites", "Takes a like back.", (hub, { channel }, item) =>
    unreact(hub, channel, item, "like"),
  ),
  deed("bookmark", "write:bookmarks", "Stars a post; nobody else learns of that.", (hub, { channel }, item) =>
    setStarred(hub, channel, item, true),
  ),
  deed("unbookmark", "write:bookmarks", "Takes a star away.", (hub, { channel }, item) =>
    setStarred(hub, channel, item, false),
  ),
  deed("unreblog", "write:statuses", "Takes a share back.", (hub, { channel }, item) =>
    unlessMissing(takeReshareBack(hub, channel, item)),
  ),
  deed("mute", "write:mutes", "Ends the notices of a thread, named by any post of it.", (hub, { channel }, item) =>
    followThread(hub, channel, item, false),
  ),
  deed("unmute", "write:mutes", "Wants the notices of a thread again.", (hub, { channel }, item) =>
    followThread(hub, channel, item, true),
  ),
  pin("pin", true, "Puts a post of the caller on top of their page, up to five."),
  pin("unpin", false, "Takes a post from there."),
  endpoint({
    path: "v1/statuses/:id/reblog",
    methods: ["POST"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Shares a public post; answers the share.",
    example: { id: "812" },
    input: statusId.extend({
      visibility: text("`public` or nothing: a share goes to everybody who reads the caller."),
    }),
    async handle(hub, caller, input, { application }) {
      // For fewer it cannot be, and it shall not be for more than was asked.
      if (input.visibility && input.visibility !== "public") throw invalid("A share is for everybody");
      await refuseMail(hub, caller, input.id);
      const item = await findShown(hub, caller.observer, { id: input.id });
      const share = await reshare(hub, caller.channel, { id: item.id }, application);
      return showStatuses(hub, caller, [share], { named: namedBy(item, input.id) });
    },
    ...oneStatus,
  }),
];

/** Does something with a post, and answers it as it is then. */
function deed(
  name: string,
  scope: string,
  summary: string,
  act: (hub: Hub, caller: Caller, item: { id: number }) => Promise<unknown>,
): Endpoint {
  return endpoint({
    path: `v1/statuses/:id/${name}`,
    methods: ["POST"],
    access: "channel",
    scope,
    writes: true,
    summary,
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input) {
      await refuseMail(hub, caller, input.id);
      const item = await findShown(hub, caller.observer, { id: input.id });
      await act(hub, caller, await originalSeen(hub, caller.observer, item));
      return showOne(hub, caller, input.id);
    },
    ...oneStatus,
  });
}

/** A share cannot be pinned: it is the share that is named here, and not what it repeats. */
function pin(name: string, pinned: boolean, summary: string): Endpoint {
  return endpoint({
    path: `v1/statuses/:id/${name}`,
    methods: ["POST"],
    access: "channel",
    scope: "write:accounts",
    writes: true,
    summary,
    errors: {
      not_pinnable: [422, "Validation failed: Only posts of your own can be pinned"],
      pins_full: [422, "Validation failed: You have already pinned the maximum number of posts"],
    },
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input) {
      await refuseMail(hub, caller, input.id);
      const item = await findShown(hub, caller.observer, { id: input.id });
      const original = await originalSeen(hub, caller.observer, item);
      if (original.id !== item.id) throw invalid("A share cannot be pinned");
      await setPinned(hub, caller.channel, { id: item.id }, pinned);
      return showOne(hub, caller, input.id);
    },
    ...oneStatus,
  });
}
