import { z } from "zod";
import { recordOf } from "../../../record-of.ts";
import { alertTypes } from "./alert-types.ts";
import { oneOf, text, truth, url } from "./kinds.ts";

/** Mastodon contract 11.31. */
export const WebPushSubscription = z.strictObject({
  id: z.int().meta({ description: "Its number.", examples: [3] }),
  endpoint: url("Where messages go.", "https://push.example/abc"),
  standard: truth("Messages are those of the standards, not of the draft."),
  alerts: z
    .strictObject(recordOf(alertTypes, (type) => truth(`It is told of each ${type}.`)))
    .meta({ description: "What is told." }),
  server_key: text("By which push services know the hub."),
  policy: oneOf(["all", "followed", "follower", "none"], "Whose notices are told."),
});
