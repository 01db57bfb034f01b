import type { Resident, World } from "../dataset.ts";
import { password } from "../dataset/people.ts";
import type { Case } from "./case.ts";

/** What writes; these run last. */
export const postCases: Case[] = [
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
