import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onPostgres, openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { newcomer, streamQuery } from "../../../../test/support/people.ts";
import { sqlFile } from "../../../../test/support/readable-sql.ts";
import { createGroup } from "../../groups/groups.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { screenBits } from "../../identity/channels/screens.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { postItem } from "../posting/post.ts";
import { listTimeline } from "./list-timeline.ts";
import { assembleStatuses } from "./statuses.ts";
import { networkStream } from "./stream.ts";
import { pageOfTold } from "./told.ts";
import {
  favorites,
  homeOfApplications,
  homeTimeline,
  mentionsTimeline,
  networkPublicTimeline,
  publicTimeline,
  retweetsOfMe,
  userTimeline,
} from "./timelines.ts";

/** The statements of timelines are put together of many parts: what comes out stands beside, to be read. */

let hub: TestHub;
let ann: Channel;
let statements: string[] | undefined;

beforeAll(async () => {
  hub = await openTestHub({ onQuery: ({ query }) => void statements?.push(query.sql) });
  ann = await newcomer(hub, "ann");
});
afterAll(() => hub.close());

/** The longest statement that the work runs, which is the one that it is about. */
async function statementOf(work: () => Promise<unknown>): Promise<string> {
  statements = [];
  await work();
  const [longest = ""] = statements.toSorted((one, other) => other.length - one.length);
  statements = undefined;
  return longest;
}

test("what timelines ask the database", async () => {
  const page = { count: 20, page: 1 };
  const friends = await createGroup(hub, ann.channel_id, "People");
  const post = await postItem(hub, ann, { body: "Hello" });
  const timelines: Record<string, () => Promise<unknown>> = {
    "The home timeline": () => homeTimeline(hub, ann, page),
    "Older than an id, without answers": () => homeTimeline(hub, ann, { ...page, maxId: 9, excludeReplies: true }),
    "The home of applications": () => homeOfApplications(hub, ann, page),
    "The home of applications of somebody with choices": () =>
      homeOfApplications(hub, { ...ann, channel_screens: screenBits.choices }, page),
    "The home timeline of somebody who hides words and people": () =>
      homeTimeline(hub, { ...ann, channel_screens: screenBits.home | screenBits.people }, page),
    Mentions: () => mentionsTimeline(hub, ann, page),
    Favorites: () => favorites(hub, ann, page),
    "What is public here": () => publicTimeline(hub, ann, page),
    "What is public anywhere": () => networkPublicTimeline(hub, ann, page),
    "What somebody wrote": () => userTimeline(hub, ann, ann.xchan_id, page),
    "One thread": () => homeTimeline(hub, ann, { ...page, conversationId: post.id }),
    "Own statuses that others shared": () => retweetsOfMe(hub, ann, page),
    "What the members of a group wrote": () => listTimeline(hub, ann, friends.id, page),
    "What stands around statuses": () => assembleStatuses(hub, observerOf(ann), [post]),
    "The stream of the native API": () => networkStream(hub, ann, streamQuery()),
  };
  const found: Record<string, string> = {};
  for (const [name, work] of Object.entries(timelines)) found[name] = await statementOf(work);
  const file = join(import.meta.dirname, `timeline-sql.${hub.engine}.sql`);
  await expect(sqlFile("timeline-sql.test.ts", found)).toMatchFileSnapshot(file);
});

test.runIf(onPostgres)("no plan of a timeline or of notices depends on who reads it, or from where on", async () => {
  const pages = [{}, { sinceId: 7 }, { minId: 7 }, { maxId: 7 }].map((bounds) => ({ count: 20, page: 1, ...bounds }));
  const timelines = [homeOfApplications, homeTimeline, mentionsTimeline, favorites, retweetsOfMe];
  const reads = pages.flatMap((page) => [
    ...timelines.map((timeline) => () => timeline(hub, ann, page)),
    () => pageOfTold(hub, ann, page, {}),
  ]);
  for (const read of reads) {
    const statement = await statementOf(read);
    expect(statement).toContain("(select $1::bigint)");
    expect(/\b(?:uid|abook_channel|author_id|id)"? (?:=|<>|<|>|<=) \$\d/.exec(statement)).toBeNull();
  }
});
