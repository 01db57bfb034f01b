import { another, byResident, halfOfFloor, pair, reading } from "./case.ts";
import type { Case } from "./case.ts";

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

/** The page of a channel, as its visitors see it: the one that is kept for them, and one that has to be made. */
export const pageCases: Case[] = [
  channelPage("channel page (HTML)", ""),
  // An address that nobody has asked for yet.
  channelPage("channel page, made anew", "?n={n}"),
];

function channelPage(name: string, query: string): Case {
  const pairs: Case["pairs"] = ({ residents }) =>
    residents.map((who) => ({
      hub: { method: "GET", path: `/channel/${who.nick}${query}` },
      floor: { method: "GET", path: `/page?uid=${who.uid}` },
    }));
  const bar = { text: "at least 0.15 of the floor", met: ({ ratio }: { ratio: number }) => ratio >= 0.15 };
  return reading(name, pairs, { floor: "page", answer: "html", bar });
}

function twoWeeksBefore(moment: string): string {
  return new Date(new Date(`${moment.replace(" ", "T")}Z`).getTime() - 14 * 86_400_000)
    .toISOString()
    .slice(0, 19)
    .replace("T", " ");
}
