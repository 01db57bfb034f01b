import { z } from "zod";
import { setStarred } from "../../../domain/items/posting/star.ts";
import { favorites } from "../../../domain/items/timelines/timelines.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { namesCaller } from "../people/named-person.ts";
import { requiredId } from "../parameters.ts";
import { include_entities, screen_name, user_id } from "../shared-input.ts";
import { manyStatuses, oneStatus, show, statusFeed } from "./status-answers.ts";
import { timelineInput, timelineQuery } from "./timeline-input.ts";

const listInput = z.object({ ...timelineInput, user_id, screen_name });
const starInput = z.object({ id: requiredId("Id of the status."), include_entities });
const errors = { missing_parameter: "Item id not specified", missing: "Invalid item." };

/** Private stars. */
export const favoriteRows = [
  endpoint({
    path: "favorites",
    methods: "*",
    access: "channel",
    summary: "What the caller has starred; nothing when a person is named.",
    input: listInput,
    async handle(hub, caller, input, exchange) {
      const isNamed = input.user_id !== undefined || input.screen_name !== undefined;
      const items = isNamed ? [] : await favorites(hub, caller.channel, timelineQuery(input));
      return show(hub, caller, items, input, exchange);
    },
    ...statusFeed("Favorites"),
  }),
  endpoint({
    path: "favorites/list",
    methods: ["GET"],
    access: "channel",
    summary: "What the caller has starred; nothing when somebody else is named.",
    input: listInput,
    async handle(hub, caller, input, exchange) {
      // Some clients always name themselves, and mean their own list.
      const { user_id, screen_name } = input;
      const own = namesCaller(hub, caller, { user_id }) && namesCaller(hub, caller, { screen_name });
      const items = own ? await favorites(hub, caller.channel, timelineQuery(input)) : [];
      return show(hub, caller, items, input, exchange);
    },
    ...manyStatuses,
  }),
  endpoint({
    path: "favorites/create",
    pathId: "id",
    methods: ["POST", "PUT"],
    access: "channel",
    writes: true,
    summary: "Stars a status; nobody else learns of it.",
    errors,
    example: { id: "812" },
    input: starInput,
    async handle(hub, caller, { id, ...wanted }, exchange) {
      return show(hub, caller, [await setStarred(hub, caller.channel, { id }, true)], wanted, exchange);
    },
    ...oneStatus,
  }),
  endpoint({
    path: "favorites/destroy",
    pathId: "id",
    methods: ["POST", "DELETE"],
    access: "channel",
    writes: true,
    summary: "Takes the star away again.",
    errors,
    example: { id: "812" },
    input: starInput,
    async handle(hub, caller, { id, ...wanted }, exchange) {
      return show(hub, caller, [await setStarred(hub, caller.channel, { id }, false)], wanted, exchange);
    },
    ...oneStatus,
  }),
];
