import { z } from "zod";
import { deed } from "../deeds.ts";

const id = z.number().int();
const nothing = z.object({});

/** Where the fetching of a thread has come to: what is still to be asked for, and from when on which origin may be asked. */
const way = { url: z.string(), level: id };
const walk = z.object({
  step: id,
  asked: id,
  posts: id,
  waiting: z.array(
    z.object({
      ...way,
      page: id.optional(),
      instead: z.array(z.object(way)).optional(),
      again: z.boolean().optional(),
    }),
  ),
  seen: z.array(z.string()),
  free: z.record(z.string(), z.number()),
});

/**
 * The kinds of jobs, each with what it is given. Both are stored: jobs that an older version has added must still run, so a
 * kind keeps its name, and what it is given may only get further fields that can be left out.
 */
const payloads = {
  "deliver-item": z.object({ item: id }),
  "deliver-answer": z.object({ owner: id, message: id }),
  "follow-attendance": z.object({ uid: id, message: id }),
  "note-mentions": z.object({ item: id }),
  "notify-edit": z.object({ message: id }),
  "notify-poll": z.object({ message: id }),
  federate: z.object({ channel: id, deed }),
  "publish-item": z.object({ item: id }),
  "expire-item": z.object({ message: id }),
  "apply-site-blocks": nothing,
  "forget-person": z.object({ xchan: id }),
  "empty-cloud": z.object({ channel: id }),
  "bring-posts": z.object({ uid: id, person: id }),
  "drop-items": z.object({ uid: id, xchan: z.string() }),
  "end-mute": z.object({ channel: id, person: z.string() }),
  "follow-moved": z.object({ channel: id, person: z.string(), successor: z.string() }),
  "name-successor": z.object({ channel: id, person: z.string(), successor: z.string() }),
  "back-fill": z.object({
    person: id,
    missed: z.boolean().optional(),
    posts: z.array(z.string()).optional(),
    pins: z.array(z.string()).optional(),
  }),
  "catch-up": z.object({ after: id.optional() }),
  "fetch-answers": z.object({ message: id, walk: walk.optional(), watched: z.number().optional() }),
  "fetch-avatar": z.object({
    xchan: id,
    url: z.string(),
    attempt: id.optional(),
    use: z.enum(["profile", "cover"]).optional(),
  }),
  "meet-actor": z.object({ actor: z.string() }),
  "fetch-emoji": z.object({ emoji: id }),
  "take-first-contacts": z.object({ channel: id, person: id }),
  "make-link-card": z.object({ card: id, attempt: id.optional() }),
  "compare-followers": z.object({ actor: z.string(), collection: z.string(), url: z.string(), digest: z.string() }),
  "recount-poll": z.object({ message: id }),
  "verify-links": z.object({ actor: z.string() }),
  "count-actor": z.object({ actor: z.string() }),
  "drop-blobs": z.object({ names: z.array(z.string()) }),
  "index-words": z.object({ below: id }),
  "lay-out-profiles": nothing,
  "run-import": z.object({ run: id }),
  "go-through-list": z.object({ list: id, turn: id }),
  "leave-old-hub": z.object({ run: id, nick: z.string(), attempt: id }),
  "forgotten-password": z.object({ email: z.string(), language: z.string().optional() }),
  "confirm-address": z.object({ account: id, language: z.string() }),
  "notify-sign-up": z.object({ account: id }),
  "notify-report": z.object({ report: id }),
  "tell-webhooks": z.object({ told: z.array(z.object({ message: id, from: id, to: id })) }),
  "send-webhook": z.object({ delivery: id, turn: id.optional(), byHand: z.boolean().optional() }),
  push: z.object({ subscription: id, notice: id, attempt: id.optional() }),
  "time-announcement": z.object({ announcement: id }),
  "send-letter": z.object({ letter: id }),
  "mail-notices": z.object({ uid: id, way: z.enum(["once", "digest"]) }),
  "trim-letters": nothing,
  "ask-again": nothing,
  "ask-software": nothing,
  "end-filters": nothing,
  "empty-media": nothing,
  "sweep-staging": nothing,
  "sweep-uploads": nothing,
  "expire-threads": nothing,
  "purge-tombstones": nothing,
  "sweep-oauth": nothing,
  "sweep-tallies": nothing,
  "trim-notices": nothing,
  "trim-peers": nothing,
  "trim-actors": nothing,
  "drop-old-keys": nothing,
  "trim-queues": nothing,
  "trim-media": nothing,
  "trim-reports": nothing,
  "trim-moderation": nothing,
  "take-figures": nothing,
  "trim-figures": nothing,
  "drop-unconfirmed": nothing,
  "trim-lists": nothing,
  "trim-follows": nothing,
  "refresh-block-lists": nothing,
  "trim-link-cards": nothing,
  "trim-unattached": nothing,
  "trim-sketches": nothing,
  "trim-live": nothing,
  "trim-push": nothing,
  "trim-webhooks": nothing,
  "hash-photos": nothing,
  "back-up": nothing,
};

export type JobKind = keyof typeof payloads;
export type JobPayload<K extends JobKind> = z.infer<(typeof payloads)[K]>;

/** What a job of each kind must have been given to run. */
export const payloadSchemas: { readonly [K in JobKind]: z.ZodType<JobPayload<K>> } = payloads;

/** The kinds that nobody adds, with the seconds between two runs. */
export const regularJobs = [
  ["ask-again", 3600],
  ["ask-software", 300],
  ["sweep-staging", 24 * 3600],
  ["sweep-uploads", 900],
  ["expire-threads", 3600],
  ["purge-tombstones", 6 * 3600],
  ["sweep-oauth", 600],
  ["sweep-tallies", 900],
  ["trim-notices", 24 * 3600],
  ["trim-peers", 24 * 3600],
  ["trim-actors", 24 * 3600],
  ["drop-old-keys", 3600],
  ["trim-queues", 6 * 3600],
  ["trim-media", 600],
  ["trim-reports", 24 * 3600],
  ["trim-moderation", 24 * 3600],
  ["take-figures", 900],
  ["trim-figures", 24 * 3600],
  ["drop-unconfirmed", 6 * 3600],
  ["trim-lists", 24 * 3600],
  ["trim-follows", 24 * 3600],
  ["refresh-block-lists", 3600],
  ["trim-link-cards", 24 * 3600],
  ["trim-unattached", 3600],
  ["trim-sketches", 24 * 3600],
  ["trim-live", 600],
  ["trim-push", 3600],
  ["trim-webhooks", 6 * 3600],
  ["trim-letters", 3600],
  ["hash-photos", 3600],
  ["back-up", 900],
] as const satisfies [JobKind, number][];
