import { z } from "zod";
import { sweepUploads } from "../domain/cloud/pieces.ts";
import { dropBlobs, sweepStaging } from "../domain/files/blobs.ts";
import { sweepOauth } from "../domain/identity/oauth-sweep.ts";
import { followAttendance } from "../domain/events/accept.ts";
import { continueImport, leaveOldHubAgain } from "../domain/import/start.ts";
import { deliverAnswer, deliverItem, deliverMentions } from "../domain/items/deliver.ts";
import { expireItem, publishItem } from "../domain/items/schedule.ts";
import { dropThreadsOf, expireThreads, purgeTombstones } from "../domain/items/trim.ts";
import { trimNotices } from "../domain/notifications/notices.ts";
import { indexOldMessages } from "../domain/search/index-words.ts";
import { fetchAvatar } from "../domain/photos/foreign-avatar.ts";
import type { Hub } from "../hub.ts";

/** A kind of work that runs after the change that caused it; it may run twice without harm. */
export type Job = {
  name: string;
  payload: z.ZodType;
  run: (hub: Hub, payload: never) => Promise<void>;
  /** Seconds between runs of a job that nobody adds. */
  every?: number;
};

function job<P>(row: {
  name: string;
  payload: z.ZodType<P>;
  run: (hub: Hub, payload: P) => Promise<void>;
  every?: number;
}): Job {
  return row;
}

const id = z.number().int();
const nothing = z.object({});

/** Every job of the hub. This file alone knows both the domain and what will be federation. */
export const jobs: Job[] = [
  job({ name: "deliver-item", payload: z.object({ item: id }), run: (hub, { item }) => deliverItem(hub, item) }),
  job({
    name: "deliver-answer",
    payload: z.object({ owner: id, message: id }),
    run: (hub, { owner, message }) => deliverAnswer(hub, owner, message),
  }),
  job({
    name: "follow-attendance",
    payload: z.object({ uid: id, message: id }),
    run: (hub, { uid, message }) => followAttendance(hub, uid, message),
  }),
  job({ name: "note-mentions", payload: z.object({ item: id }), run: (hub, { item }) => deliverMentions(hub, item) }),
  job({ name: "publish-item", payload: z.object({ item: id }), run: (hub, { item }) => publishItem(hub, item) }),
  job({ name: "expire-item", payload: z.object({ message: id }), run: (hub, { message }) => expireItem(hub, message) }),
  job({
    name: "drop-items",
    payload: z.object({ uid: id, xchan: z.string() }),
    run: (hub, { uid, xchan }) => dropThreadsOf(hub, uid, xchan),
  }),
  job({
    name: "fetch-avatar",
    payload: z.object({ xchan: id, url: z.string(), attempt: z.number().int().optional() }),
    run: (hub, payload) => fetchAvatar(hub, payload),
  }),
  job({
    name: "drop-blobs",
    payload: z.object({ names: z.array(z.string()) }),
    run: (hub, { names }) => dropBlobs(hub, names),
  }),
  job({ name: "index-words", payload: z.object({ below: id }), run: (hub, { below }) => indexOldMessages(hub, below) }),
  job({ name: "run-import", payload: z.object({ run: id }), run: (hub, { run }) => continueImport(hub, run) }),
  job({
    name: "leave-old-hub",
    payload: z.object({ run: id, nick: z.string(), attempt: id }),
    run: (hub, payload) => leaveOldHubAgain(hub, payload),
  }),
  job({ name: "sweep-staging", payload: nothing, run: (hub) => sweepStaging(hub), every: 24 * 3600 }),
  job({ name: "sweep-uploads", payload: nothing, run: (hub) => sweepUploads(hub), every: 900 }),
  job({ name: "expire-threads", payload: nothing, run: (hub) => expireThreads(hub), every: 3600 }),
  job({ name: "purge-tombstones", payload: nothing, run: (hub) => purgeTombstones(hub), every: 6 * 3600 }),
  job({ name: "sweep-oauth", payload: nothing, run: (hub) => sweepOauth(hub), every: 600 }),
  job({ name: "trim-notices", payload: nothing, run: (hub) => trimNotices(hub), every: 24 * 3600 }),
];
