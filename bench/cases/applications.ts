import { bearerOf } from "../bearers.ts";
import type { Resident, World } from "../dataset.ts";
import { password } from "../dataset/people.ts";
import { reading } from "./case.ts";
import type { Bar, Case, Pair } from "./case.ts";

const bar: Bar = { text: "at most a tenth slower than the microblog API", met: ({ ratio }) => ratio >= 0.9 };

/** What applications for Mastodon ask most, beside what the microblog API answers to the same (mastodon contract 19). */
export const applicationCases: Case[] = [
  beside("v1/timelines/home", "statuses/home_timeline.json?count=20", "v1/timelines/home?limit=20"),
  reading(
    "v1/statuses/:id/context",
    ({ residents }) =>
      residents.flatMap((who) =>
        who.items
          .slice(0, 5)
          .map((id) => both(who, `v1/statuses/${id}/context`, `statusnet/conversation/${id}.json?count=100`)),
      ),
    { itself: true, bar },
  ),
  // Notices of the microblog API hold no posts; its relative is what speaks to the caller, with the posts.
  beside("v1/notifications", "statuses/mentions.json?count=20", "v1/notifications?limit=20"),
  beside("v1/accounts/verify_credentials", "account/verify_credentials.json"),
];

function beside(name: string, microblog: string, path = name): Case {
  return reading(name, ({ residents }: World) => residents.map((who) => both(who, path, microblog)), {
    itself: true,
    bar,
  });
}

/** The microblog API stands in the place of the floor. */
function both(who: Resident, path: string, microblog: string): Pair {
  return {
    hub: { method: "GET", path: `/api/${path}`, authorization: `Bearer ${bearerOf(who)}` },
    floor: { method: "GET", path: `/api/${microblog}`, login: `${who.nick}:${password}` },
  };
}
