import type { Resident } from "../dataset.ts";
import { password } from "../dataset/people.ts";
import type { Call } from "../load/main.ts";
import { reading } from "./case.ts";
import type { Bar, Case } from "./case.ts";

const bar: Bar = { text: "at least 0.9 of verify", met: ({ ratio }) => ratio >= 0.9 };
const newerThanAll = "since_id=2000000000";

/** What applications ask again and again while nothing happens, beside what it costs to know who asks. */
export const pollCases: Case[] = [
  poll("statuses/home_timeline.json", `count=20&${newerThanAll}`),
  poll("statuses/mentions.json", `count=20&${newerThanAll}`),
  poll("direct_messages.json", newerThanAll),
];

function poll(path: string, query: string): Case {
  const pairs: Case["pairs"] = ({ residents }) =>
    residents.map((who) => ({ hub: ask(who, `/api/${path}?${query}`), floor: ask(who, "/api/z/1.0/verify.json") }));
  return reading(`a poll without news: ${path.replace(".json", "")}`, pairs, { itself: true, bar });
}

function ask({ nick }: Resident, path: string): Call {
  return { method: "GET", path, login: `${nick}:${password}` };
}
