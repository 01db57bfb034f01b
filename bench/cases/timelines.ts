import type { Resident, World } from "../dataset.ts";
import { password } from "../dataset/people.ts";
import type { Call } from "../load/main.ts";
import { another, byResident, halfOfFloor, pair, reading } from "./case.ts";
import type { Case } from "./case.ts";

const home: Case = timeline("home_timeline", "statuses/home_timeline");

/** Every timeline of the microblog API, twenty statuses each. The home timeline comes first. */
export const timelineCases: Case[] = [
  home,
  timeline("mentions", "statuses/mentions"),
  timeline("public_timeline", "statuses/public_timeline"),
  timeline("networkpublic_timeline", "statuses/networkpublic_timeline"),
  timeline("user_timeline", "statuses/user_timeline", (_, n, world) => {
    const { nick, xchanId } = another(world, n);
    return { hub: `&screen_name=${nick}`, floor: `&author=${xchanId}` };
  }),
  timeline("favorites", "favorites"),
  timeline("lists/statuses", "lists/statuses", ({ groupId }) => ({
    hub: `&list_id=${groupId}`,
    floor: `&group=${groupId}`,
  })),
  reading(
    "conversation",
    (world) =>
      world.residents.flatMap((who) =>
        who.items
          .slice(0, 5)
          .map((id) =>
            pair("conversation", who, `/api/statusnet/conversation/${id}.json?count=20`, `id=${id}&uid=${who.uid}`),
          ),
      ),
    { bar: halfOfFloor, scales: true },
  ),
  reading(
    "home_timeline.xml",
    ({ residents }) => residents.map((who) => ({ hub: homeAs("xml", who), floor: homeAs("json", who) })),
    {
      answer: "xml",
      itself: true,
      bar: { text: "at least half as fast as JSON", met: ({ ratio }) => ratio >= 0.5 },
    },
  ),
];

type More = (who: Resident, n: number, world: World) => { hub: string; floor: string };

/** The case has the name of the endpoint; the floor needs to know who asks. */
function timeline(floor: string, path: string, more: More = () => ({ hub: "", floor: "" })): Case {
  const pairs = byResident(
    floor,
    (who, n, world) => `/api/${path}.json?count=20${more(who, n, world).hub}`,
    (who, n, world) => `uid=${who.uid}&xchan=${who.xchanId}${more(who, n, world).floor}`,
  );
  return reading(path, pairs, { floor, bar: halfOfFloor, scales: true });
}

function homeAs(format: string, { nick }: Resident): Call {
  return {
    method: "GET",
    path: `/api/statuses/home_timeline.${format}?count=20`,
    login: `${nick}:${password}`,
  };
}
