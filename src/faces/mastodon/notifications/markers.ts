import { z } from "zod";
import { listMarkers, markedLists, setMarkers } from "../../../domain/items/posting/markers.ts";
import type { MarkedList, Marker } from "../../../domain/items/posting/markers.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { within } from "../../../http/nested.ts";
import { lastOf } from "../../../http/values.ts";
import { isRecord } from "../../../record-of.ts";
import { invalid, objects, optionalTexts, readId } from "../parameters.ts";
import { datetime } from "../present/dates.ts";

/** Mastodon contract 12.3: how far the caller has read. */
export const markerRows = [
  endpoint({
    path: "v1/markers",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "How far the caller has read, of the lists that are asked for.",
    answer: "Markers",
    example: { timeline: "home" },
    input: z.object({ timeline: optionalTexts("`home`, `notifications`.") }),
    handle: async (hub, { channel }, { timeline = [] }) =>
      (await listMarkers(hub, channel.channel_id)).filter((one) => timeline.includes(one.timeline)),
    present: presentMarkers,
  }),
  endpoint({
    path: "v1/markers",
    methods: ["POST"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    whileMoved: true,
    summary: "Says how far the caller has read; what comes before it has been seen.",
    answer: "Markers",
    input: z.object({
      home: objects("`last_read_id` in the home time line."),
      notifications: objects("`last_read_id` among the notices."),
    }),
    async handle(hub, { channel }, input) {
      const marks: Partial<Record<MarkedList, number>> = {};
      for (const name of markedLists) {
        const object = lastOf(input[name]);
        const last = isRecord(object) ? lastOf(within(object, "last_read_id")) : undefined;
        if (last !== undefined) marks[name] = readLast(last);
      }
      await setMarkers(hub, channel, marks);
      return (await listMarkers(hub, channel.channel_id)).filter(({ timeline }) => timeline in marks);
    },
    present: presentMarkers,
  }),
];

function readLast(value: unknown): number {
  const id = readId(value);
  if (id === undefined) throw invalid("Last read is not a number");
  return id;
}

function presentMarkers(markers: readonly Marker[]): object {
  return Object.fromEntries(
    markers.map(({ timeline, last_read_id, version, updated }) => [
      timeline,
      { last_read_id: String(last_read_id), version, updated_at: datetime(updated) },
    ]),
  );
}
