import { z } from "zod";
import { always, bit, id, stored, text, words } from "./kinds.ts";

/** Entries of a calendar, as Friendica's clients know them (decision 31). */

const list = (description: string) =>
  z
    .string()
    .regex(/^(<[^<>]+>)*$/)
    .meta({ description, examples: [""] });

export const Event = z.strictObject({
  id: id("Id of the entry.", 5),
  uid: id("Id of the channel whose calendar it is in.", 3),
  cid: id("Id of the caller's user object."),
  uri: words("Its name on all hubs.", "6c2f80b5@hub.example"),
  name: words("Its title.", "Concert"),
  desc: text("What it is about, as HTML.", "With choir"),
  startTime: stored("When it begins, in UTC if `adjust` is 1."),
  endTime: stored("When it ends."),
  type: z.enum(["event", "task", "birthday"]).meta({ description: "What kind of entry it is.", examples: ["event"] }),
  nofinish: bit("It has no end."),
  place: text("Where it is.", "The old hall"),
  adjust: bit("Its times are moments; else what the clocks show everywhere.", 1),
  ignore: bit("It is hidden in the caller's calendar."),
  allow_cid: list("Hashes of the people who may see it, in angle brackets."),
  allow_gid: list("Hashes of the groups whose members may see it."),
  deny_cid: list("Hashes of the people who may not see it."),
  deny_gid: list("Hashes of the groups whose members may not see it."),
});

export const EventResult = z.strictObject({
  success: always(true, "It worked."),
  event_id: id("Id of the entry.", 5),
  event: Event.meta({ description: "The entry." }),
});
