import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findStatus } from "../../../domain/items/find.ts";
import { react, unreact } from "../../../domain/items/posting/react.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { permitWords } from "../../words/items.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { findReactable } from "./activity.ts";
import { requiredId } from "../parameters.ts";
import { presentUser } from "../people/present-user.ts";
import { include_entities } from "../shared-input.ts";
import { oneStatus, show } from "./status-answers.ts";
import type { StatusAnswers, Wanted } from "./status-answers.ts";

const errors = { missing_parameter: "An id is missing.", missing: "There is no status with this id." };
const statusInput = z.object({ id: requiredId("Id of the status."), include_entities });

type Named = z.output<typeof statusInput>;

/** Dislikes under the names that Friendica's clients use (decision 31); `svc/activity` has all reactions. */
export const dislikeRows = [
  endpoint({
    path: "svc/statuses/:id/dislike",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Dislikes a status and answers it; repeating it changes nothing.",
    errors: { ...errors, denied: "Forbidden", likes_limited: permitWords.likes_limited },
    example: { id: "812" },
    input: statusInput,
    async handle(hub, caller, { id, ...wanted }, exchange) {
      const item = await findReactable(hub, caller.channel, id);
      await react(hub, caller.channel, { id: item.id }, "dislike", "stays");
      return shownStatus(hub, caller, { id, ...wanted }, exchange);
    },
    ...oneStatus,
  }),
  endpoint({
    path: "svc/statuses/:id/undislike",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Takes the caller's dislike of a status back and answers the status.",
    errors,
    example: { id: "812" },
    input: statusInput,
    async handle(hub, caller, { id, ...wanted }, exchange) {
      const item = await findReactable(hub, caller.channel, id);
      await unreact(hub, caller.channel, { id: item.id }, "dislike");
      return shownStatus(hub, caller, { id, ...wanted }, exchange);
    },
    ...oneStatus,
  }),
  endpoint({
    path: "svc/statuses/:id/disliked_by",
    methods: ["GET"],
    access: "channel",
    summary: "Who dislikes a status, the first one first: those whom its `svc_activities` name.",
    answer: "User[]",
    errors,
    example: { id: "812" },
    input: statusInput,
    handle: shownStatus,
    present: ({ page }) => {
      const ids = page.reactions.get(page.items[0]!.id)?.["dislike"] ?? [];
      return ids.flatMap((id) => page.users.get(id) ?? []).map((user) => presentUser(user));
    },
    xml: "users",
  }),
];

async function shownStatus(
  hub: Hub,
  caller: Caller,
  { id, ...wanted }: Named & Wanted,
  exchange: Exchange,
): Promise<StatusAnswers> {
  return show(hub, caller, [await findStatus(hub, caller.channel, { id })], wanted, exchange);
}
