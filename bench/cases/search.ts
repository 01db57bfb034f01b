import type { Resident, World } from "../dataset.ts";
import { closedWord, rareWord } from "../dataset/message-rows.ts";
import { pair, reading } from "./case.ts";
import type { Case, Pair } from "./case.ts";

type Questions = (world: World) => { who: Resident; query: string; more?: string }[];

const nobodys = "xylotomy";

/** What people look for; there is nothing bare to compare it with, so only the time of the slowest answers counts. */
export const searchCases: Case[] = [
  searching("search: a common word", ({ residents }) => of(residents, "garden")),
  searching("search: three common words", ({ residents }) => of(residents, "garden river morning")),
  searching("search: a middling word", ({ residents }) => of(residents, "selfhosting")),
  searching("search: a rare word", ({ residents }) => of(residents, rareWord)),
  searching("search: an unknown word", ({ residents }) => of(residents, nobodys)),
  searching("search: a phrase", ({ residents }) => of(residents, '"the garden"')),
  searching("search: a phrase that nobody writes", ({ residents }) => of(residents, '"garden the garden the"')),
  searching("search: a beginning", ({ residents }) => of(residents, "gar*")),
  searching("search: from:", ({ residents }) =>
    residents.map((who, n) => ({ who, query: `river from:${residents[(n * 7 + 3) % residents.length]!.nick}` })),
  ),
  searching("search: #tag", ({ residents }) => of(residents, "#coffee")),
  searching("search: until:", ({ residents }) => of(residents, "garden until:2026-01-31")),
  searching("search: a day", ({ residents }) => of(residents, "garden since:2026-05-01 until:2026-05-01")),
  searching("search: further pages", (world) =>
    world.residents.map((who, n) => ({
      who,
      query: "garden",
      more: `&max_id=${Math.floor((world.items * (n % 50)) / 50) + 1000}`,
    })),
  ),
  searching("search: a word of others' private posts", ({ lonely }) => of(lonely, closedWord)),
];

function of(residents: Resident[], query: string): ReturnType<Questions> {
  return residents.map((who) => ({ who, query }));
}

function searching(name: string, questions: Questions): Case {
  const pairs = (world: World): Pair[] =>
    questions(world).map(({ who, query, more = "" }) => {
      const { hub } = pair("search", who, `/api/search.json?count=20&q=${encodeURIComponent(query)}${more}`, "");
      return { hub, floor: hub };
    });
  const bar = { text: "answered in under 100 ms", met: ({ p99 }: { p99: number }) => p99 < 100 };
  return { ...reading(name, pairs, { itself: true, scales: true, bar }), pause: 5 };
}
