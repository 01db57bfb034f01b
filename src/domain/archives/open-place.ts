import { RefusedAddress, UnusableAnswer } from "../../fetch/fetch.ts";
import type { Hub } from "../../hub.ts";
import { NotKept, tryPlace } from "../../storage/places/place.ts";
import type { Place } from "../../storage/places/place.ts";
import { s3Place } from "../../storage/places/s3.ts";
import type { ArchiveOrder } from "./archive-place.ts";
import { orderIn, rowOf } from "./archive-place.ts";
import { guardedSend } from "./guarded-send.ts";
import { webdavPlace } from "./webdav.ts";

/** A server of somebody's may take its time, but not longer than that before it says anything (milliseconds). */
const patience = 60_000;

/** The place that the owner of a channel has named; `signal` ends what is under way. */
export function openArchivePlace(hub: Hub, order: ArchiveOrder, signal: AbortSignal): Place {
  const { kind, address, login, password, region } = order;
  if (kind === "webdav") return webdavPlace(hub, { address, login, password }, signal);
  const url = new URL(address);
  const [bucket = "", ...path] = url.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  const place = {
    kind: "s3",
    bucket,
    prefix: path.length === 0 ? "" : `${path.join("/")}/`,
    endpoint: url.origin,
    region: region === "" ? "us-east-1" : region,
    style: "path",
    keys: { id: login, secret: password },
  } as const;
  return s3Place(place, { send: guardedSend(hub, signal), patience });
}

export type ArchiveFault = { reason: (typeof reasons)[number]; detail: string };

/** Why a place cannot be used, as far as people can do something about it. */
export const reasons = ["address", "denied", "absent", "full", "strange", "away", "lost"] as const;

/** What opens the place was locked with a secret that the site does not have any more: it has to be typed again. */
export const unreadable: ArchiveFault = { reason: "lost", detail: "" };

/** Writes something there, reads it and removes it. Answers what is wrong, or nothing. */
export async function tryArchivePlace(hub: Hub, uid: number): Promise<ArchiveFault | undefined> {
  const row = await rowOf(hub, uid);
  if (!row) return { reason: "absent", detail: "" };
  const order = await orderIn(hub, row);
  if (!order) return unreadable;
  try {
    await tryPlace(openArchivePlace(hub, order, AbortSignal.timeout(patience / 2)));
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

/** What went wrong with a place. */
export function faultOf(error: unknown): ArchiveFault {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < 8; one = one.cause) causes.push(one);
  const refused = causes.find((one) => one instanceof RefusedAddress);
  if (refused) return { reason: "address", detail: refused.message };
  const said = causes.find((one) => / answers \d{3}/.test(one.message));
  const status = Number(/ answers (\d{3})/.exec(said?.message ?? "")?.[1]);
  const detail = (said ?? causes.at(-1))?.message.slice(0, 200) ?? "";
  if (status === 401 || status === 403) return { reason: "denied", detail };
  if (status === 404 || status === 409) return { reason: "absent", detail };
  if (status === 413 || status === 507) return { reason: "full", detail };
  const hasAnswered = said ?? causes.find((one) => one instanceof NotKept || one instanceof UnusableAnswer);
  return { reason: hasAnswered ? "strange" : "away", detail };
}
