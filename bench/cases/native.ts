import { another, byResident, halfOfFloor, pair, reading } from "./case.ts";
import type { Bar, Case } from "./case.ts";
import type { Resident } from "../dataset.ts";
import type { Call } from "../load/main.ts";
import { sessionOf } from "../sessions.ts";

/** Streams, records and pages. */
export const nativeCases: Case[] = [
  reading(
    "network/stream",
    byResident(
      "network/stream",
      () => "/api/z/1.0/network/stream?records=20",
      (who) => `uid=${who.uid}`,
    ),
    { bar: halfOfFloor },
  ),
  reading(
    "channel/stream",
    byResident(
      "channel/stream",
      (_, __, { end }) => `/api/z/1.0/channel/stream?records=20&mindate=${encodeURIComponent(twoWeeksBefore(end))}`,
      (who, _, { end }) => `uid=${who.uid}&since=${encodeURIComponent(twoWeeksBefore(end))}`,
    ),
  ),
  reading("statuses/show", (world) =>
    world.residents.flatMap((who) =>
      who.items.map((id) => pair("statuses/show", who, `/api/statuses/show.json?id=${id}`, `id=${id}&uid=${who.uid}`)),
    ),
  ),
  reading(
    "xchan",
    byResident(
      "xchan",
      (_, n, world) => `/api/z/1.0/xchan?hash=${another(world, n).hash}`,
      (_, n, world) => `hash=${another(world, n).hash}`,
    ),
  ),
  reading(
    "group_members",
    byResident(
      "group_members",
      (who) => `/api/z/1.0/group_members?group_id=${who.groupId}`,
      (who) => `uid=${who.uid}&gid=${who.groupId}`,
    ),
  ),
];

const quarterOfFloor: Bar = { text: "at least a quarter of the floor", met: ({ ratio }) => ratio >= 0.25 };
const manyPages: Bar = { text: "at least 2,000/s", met: ({ rps }) => rps >= 2000 };
const soonThere: Bar = { text: "99 of 100 within 40 ms", met: ({ p99 }) => p99 < 40 };

/** The page of a channel, as its visitors see it: the one that is kept for them, and one that has to be made; and streams of members. */
export const pageCases: Case[] = [
  page("channel page (HTML)", manyPages, ({ nick }) => ({ path: `/channel/${nick}` })),
  // An address that nobody has asked for yet.
  page("channel page, made anew", quarterOfFloor, ({ nick }) => ({ path: `/channel/${nick}?n={n}` })),
  page("stream page (HTML)", quarterOfFloor, streamOf),
  { ...page("stream page, one after the other", soonThere, streamOf), pause: 5 },
];

function streamOf(who: Resident): Pick<Call, "path" | "cookie"> {
  return { path: "/network", cookie: `hubbub=${sessionOf(who)}` };
}

function page(name: string, bar: Bar, call: (who: Resident) => Pick<Call, "path" | "cookie">): Case {
  const pairs: Case["pairs"] = ({ residents }) =>
    residents.map((who) => ({
      hub: { method: "GET", ...call(who) },
      floor: { method: "GET", path: `/page?uid=${who.uid}` },
    }));
  return reading(name, pairs, { floor: "page", answer: "html", bar });
}

function twoWeeksBefore(moment: string): string {
  return new Date(new Date(`${moment.replace(" ", "T")}Z`).getTime() - 14 * 86_400_000)
    .toISOString()
    .slice(0, 19)
    .replace("T", " ");
}
