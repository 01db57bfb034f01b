import { z } from "zod";

const id = z.number().int();
const text = z.string();

/** What a reaction, a vote or a share was, for when nothing of it is left to read. */
const withdrawn = z.object({
  /** Id of the message, and the name that other hubs know it by; the channel of its author, and when it went. */
  message: id,
  uuid: text,
  author: id,
  moment: text,
  /** Of what had been said, what it was; of what had been done, how: the short name of a reaction, or `share`. */
  kind: text,
  /** The id of what a reaction or a share was about; empty for the rest. */
  about: text,
  wasPublic: z.boolean(),
});

/**
 * What people of the hub do and others elsewhere shall hear of, in words of the domain (federation contract 12.1). Stored with
 * the jobs that tell it: a deed keeps its name, and may only get further fields that can be left out.
 */
export const deed = z.discriminatedUnion("deed", [
  /**
   * Somebody has said something, or reacted: a post, an answer, a share, an event, a reaction. An answer of somebody of elsewhere
   * in a thread of the hub is handed on to others.
   */
  z.object({ deed: z.literal("say"), message: id }),
  /** The choices of a voter in a poll of elsewhere. */
  z.object({ deed: z.literal("vote"), message: id }),
  /** What was said is another now; `stamp` tells this change from others of the same message. */
  z.object({ deed: z.literal("change"), message: id, stamp: text }),
  /** A public post is on top of the channel's page, or no more; `stamp` tells this from earlier times. */
  z.object({ deed: z.literal("pin"), uuid: text, pinned: z.boolean(), stamp: text }),
  /** It is gone for everybody. */
  z.object({ deed: z.literal("withdraw"), ...withdrawn.shape }),
  /** What somebody of elsewhere wrote, and was handed on, is in the thread no more; both by what other hubs know them by. */
  z.object({
    deed: z.literal("remove"),
    message: id,
    object: text,
    thread: text,
    moment: text,
    wasPublic: z.boolean(),
  }),
  /** Somebody of elsewhere has taken back what was handed on: `document` is how they said so. */
  z.object({ deed: z.literal("retract"), message: id, object: text, document: text }),
  /** A follow by its id; `person` is the hash of who is asked. Told once more, it has a `stamp`. */
  z.object({ deed: z.literal("follow"), follow: text, person: text, stamp: text.optional() }),
  z.object({ deed: z.literal("unfollow"), follow: text, person: text, stamp: text.optional() }),
  /** An answer to a follow of `person`; `stamp` tells it from an earlier one to the same follow. Some follow a `post`. */
  z.object({ deed: z.literal("accept"), follow: text, person: text, stamp: text, post: text.optional() }),
  z.object({ deed: z.literal("reject"), follow: text, person: text, stamp: text }),
  /** Somebody of elsewhere, by their hash, joins an event of the channel by an activity with this id, and may or may not come. */
  z.object({ deed: z.literal("joined"), join: text, person: text, event: text, accepted: z.boolean() }),
  /** The author of elsewhere is asked whether a post may quote theirs. */
  z.object({ deed: z.literal("quote"), message: id }),
  /** The same of an answer, a like or a share. */
  z.object({ deed: z.literal("ask"), message: id, kind: z.enum(["reply", "like", "share"]) }),
  /**
   * Somebody of elsewhere, by their hash, has asked by an activity with this id whether a post of theirs may quote one of the
   * channel's, which is named by its uuid; `approval` is that of the stamp, and empty where it may not.
   */
  z.object({ deed: z.literal("quoted"), request: text, person: text, post: text, quoting: text, approval: text }),
  /**
   * Somebody of elsewhere, by their hash, hears whether what they said or did (`act`, by its id) may stand with a post that is
   * named by its uuid; `request` is the id of the activity by which they asked, and empty where they did not. `approval` is the uuid
   * of the stamp that they get, if they get one.
   */
  z.object({
    deed: z.literal("answered"),
    kind: z.enum(["reply", "like", "share"]),
    request: text,
    person: text,
    post: text,
    act: text,
    accepted: z.boolean(),
    approval: text,
  }),
  /** A stamp holds no more; what it was for may not stand. */
  z.object({ deed: z.literal("unquoted"), person: text, approval: text }),
  /** What others see of the channel has changed. */
  z.object({ deed: z.literal("describe") }),
  /** The channel goes on as somebody else; `person` is their hash. */
  z.object({ deed: z.literal("move"), person: text, stamp: text }),
  /** The channel has left for another hub, by an import there: its followers are told once that hub has it. */
  z.object({ deed: z.literal("depart"), stamp: text }),
  /** The channel has come from a `former` id, where nobody answers any more; `person`, by their hash, followed it there. */
  z.object({ deed: z.literal("arrive"), person: text, former: text }),
  /** The channel is gone for good. */
  z.object({ deed: z.literal("leave"), nick: text }),
  /** A direct message, by the id of the sender's copy, and the mid of the one that it answers. */
  z.object({ deed: z.literal("write"), mail: id, answers: text }),
  /** It is taken back. */
  z.object({ deed: z.literal("recall"), mid: text, person: text }),
  /** Somebody here has reported somebody elsewhere, and those who run their hub shall know. The site says it. */
  z.object({ deed: z.literal("report"), report: id }),
]);

export type Deed = z.infer<typeof deed>;

/** The deeds of this name. */
export type DeedOf<Name extends Deed["deed"]> = Extract<Deed, { deed: Name }>;
