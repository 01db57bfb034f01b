import type { Resident, World } from "./dataset.ts";
import { password } from "./dataset/people.ts";
import type { Call } from "./load/main.ts";

/** The same question to the hub and to the floor. */
export type Pair = { hub: Call; floor: Call };

export type Bar = { text: string; met(figures: { ratio: number; rps: number; p99: number }): boolean };

/** One request that the bench measures. */
export type Case = {
  name: string;
  /** The floor's name for it. */
  floor: string;
  answer: "json" | "html" | "xml";
  /** In place of the floor stands another question to the hub. */
  itself?: true;
  /** It changes something, so two answers to it are never the same. */
  writes: boolean;
  /** Milliseconds between requests on a single connection, where the time of one answer is what counts. */
  pause?: number;
  bar?: Bar;
  pairs(world: World): Pair[];
};

/** Bytes of a file in one answer, before base64. */
const chunk = 1024 * 1024;

const halfOfFloor: Bar = { text: "at least half of the floor", met: ({ ratio }) => ratio >= 0.5 };

/** A case whose requests are made from one resident each. */
function reading(
  name: string,
  hubPath: (who: Resident, world: World) => string,
  floorQuery: (who: Resident, world: World) => string,
  bar?: Bar,
): Case {
  return {
    name,
    floor: name,
    answer: "json",
    writes: false,
    ...(bar && { bar }),
    pairs: (world) => world.residents.map((who) => pair(name, who, hubPath(who, world), floorQuery(who, world))),
  };
}

function pair(floor: string, who: Resident, path: string, query: string): Pair {
  return {
    hub: { method: "GET", path, login: `${who.nick}:${password}` },
    floor: { method: "GET", path: `/${floor}?${query}` },
  };
}

function posting(name: string, floor: string, path: string, field: string, who: (world: World) => Resident[]): Case {
  const text = "Post%20{n}%20of%20the%20bench,%20as%20short%20as%20most%20posts%20are.";
  return {
    name,
    floor,
    answer: "json",
    writes: true,
    pairs: (world) =>
      who(world).map((one) => ({
        hub: { method: "POST", path, login: `${one.nick}:${password}`, body: `${field}=${text}` },
        floor: { method: "POST", path: `/${floor}?uid=${one.uid}&xchan=${one.xchanId}&body=${text}`, body: "" },
      })),
  };
}

/** The cases, in the order in which they run: those that write come last. */
export const cases: Case[] = [
  reading(
    "statuses/home_timeline",
    () => "/api/statuses/home_timeline.json?count=20",
    (who) => `uid=${who.uid}`,
    halfOfFloor,
  ),
  {
    ...reading(
      "home_timeline.xml",
      () => "",
      () => "",
      { text: "at least half as fast as JSON", met: ({ ratio }) => ratio >= 0.5 },
    ),
    answer: "xml",
    itself: true,
    pairs: (world) =>
      world.residents.map(({ nick }) => {
        const home = (format: string): Call => ({
          method: "GET",
          path: `/api/statuses/home_timeline.${format}?count=20`,
          login: `${nick}:${password}`,
        });
        return { hub: home("xml"), floor: home("json") };
      }),
  },
  reading(
    "network/stream",
    () => "/api/z/1.0/network/stream?records=20",
    (who) => `uid=${who.uid}`,
    halfOfFloor,
  ),
  reading(
    "channel/stream",
    (_, world) => `/api/z/1.0/channel/stream?records=20&mindate=${encodeURIComponent(twoWeeksBefore(world.end))}`,
    (who, world) => `uid=${who.uid}&since=${encodeURIComponent(twoWeeksBefore(world.end))}`,
  ),
  {
    ...reading(
      "statuses/show",
      () => "",
      () => "",
    ),
    pairs: (world) =>
      world.residents.flatMap((who) =>
        who.items.map((id) =>
          pair("statuses/show", who, `/api/statuses/show.json?id=${id}`, `id=${id}&uid=${who.uid}`),
        ),
      ),
  },
  {
    ...reading(
      "xchan",
      () => "",
      () => "",
    ),
    pairs: (world) =>
      world.residents.map((who, n) => {
        const { hash } = world.residents[(n * 7 + 3) % world.residents.length]!;
        return pair("xchan", who, `/api/z/1.0/xchan?hash=${hash}`, `hash=${hash}`);
      }),
  },
  reading(
    "group_members",
    (who) => `/api/z/1.0/group_members?group_id=${who.groupId}`,
    (who) => `uid=${who.uid}&gid=${who.groupId}`,
  ),
  {
    ...reading(
      "files",
      () => "",
      () => "",
      halfOfFloor,
    ),
    pairs: (world) => world.filers.map((who) => pair("files", who, "/api/z/1.0/files?records=20", `uid=${who.uid}`)),
  },
  {
    ...reading(
      "albums",
      () => "",
      () => "",
      halfOfFloor,
    ),
    pairs: (world) =>
      world.filers.map((who) => pair("albums", who, "/api/z/1.0/albums", `uid=${who.uid}&nick=${who.nick}`)),
  },
  {
    ...reading(
      "filedata",
      () => "",
      () => "",
      { text: "at least 150 MB/s of raw data", met: ({ rps }) => (rps * chunk) / 1e6 >= 150 },
    ),
    pairs: (world) =>
      world.filers.flatMap((who) =>
        Array.from({ length: 8 }, (_, n) => {
          const part = `start=${n * 8 * chunk}&length=${chunk}`;
          const path = `/api/z/1.0/filedata?file_id=${who.film}&${part}`;
          return pair("filedata", who, path, `hash=${who.film}&${part}`);
        }),
      ),
  },
  {
    ...reading(
      "channel page (HTML)",
      () => "",
      () => "",
    ),
    floor: "page",
    answer: "html",
    pairs: (world) =>
      world.residents.map((who) => ({
        hub: { method: "GET", path: `/channel/${who.nick}` },
        floor: { method: "GET", path: `/page?uid=${who.uid}` },
      })),
  },
  {
    ...posting("statuses/update", "statuses/update", "/api/statuses/update.json", "status", (world) => world.lonely),
    bar: { text: "at least 300 posts a second", met: ({ rps }) => rps >= 300 },
  },
  posting("item/update", "item/update", "/api/z/1.0/item/update", "body", (world) => world.lonely),
  {
    ...posting(
      "statuses/update, many readers",
      "statuses/update",
      "/api/statuses/update.json",
      "status",
      (world) => world.stars,
    ),
    pause: 150,
    bar: { text: "answered in under 50 ms", met: ({ p99 }) => p99 < 50 },
  },
];

function twoWeeksBefore(moment: string): string {
  return new Date(new Date(`${moment.replace(" ", "T")}Z`).getTime() - 14 * 86_400_000)
    .toISOString()
    .slice(0, 19)
    .replace("T", " ");
}
