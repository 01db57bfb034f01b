import { z } from "zod";
import type { Anybody, Caller } from "../../../domain/identity/accounts/caller.ts";
import { findAddress, isPageAddress } from "../../../domain/items/timelines/find-address.ts";
import { searchStatuses } from "../../../domain/items/timelines/search.ts";
import { searchTags } from "../../../domain/items/timelines/search-tags.ts";
import type { KnownTag } from "../../../domain/items/timelines/search-tags.ts";
import { searchPeople } from "../../../domain/people/search-people.ts";
import { HubError } from "../../../errors.ts";
import { needsUser } from "../../../http/credentials.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { manyAccounts, showAccounts } from "../accounts/account-answers.ts";
import type { AccountAnswers } from "../accounts/account-answers.ts";
import { bound, flag, invalid, limit, offset, optionalId, requiredText, sentText, text } from "../parameters.ts";
import { seeing } from "../seeing.ts";
import { markedTags } from "../tags/marked-tags.ts";
import { manyStatuses, showStatuses } from "../statuses/status-answers.ts";
import type { StatusAnswers } from "../statuses/status-answers.ts";
import { presentTag } from "../present/tag.ts";
import type { TagContext } from "../present/tag.ts";

const longestQuestion = 500;
const furthest = 1000;

const question = {
  q: requiredText(
    "Words, a hashtag, `nick@host`, or the address of a person or post; in words as on the hub's page, such as `from:bob`.",
  ),
  type: text("Only `accounts`, `statuses` or `hashtags`."),
  resolve: flag("Ask the other server where the hub does not know an address."),
  following: flag("Only people whom the caller follows."),
  account_id: optionalId("Only posts of this person."),
  exclude_unreviewed: flag("Changes nothing."),
  limit: limit(20),
  offset: offset(furthest),
  max_id: bound("Only posts with a smaller id."),
  min_id: bound("Only posts with a greater id."),
};

const input = z.object(question);

type Question = z.output<typeof input>;

type Found = {
  accounts: AccountAnswers;
  statuses: StatusAnswers;
  tags: readonly KnownTag[];
  around: TagContext;
};

/** Mastodon contract 12.9 and 13.7. */
export const searchRows = [
  endpoint({
    path: "v2/search",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "People, posts and hashtags; without a token no posts, and only the first page.",
    answer: "Search",
    example: { q: "tea" },
    input,
    handle: find,
    present: async (found) => ({
      ...(await presentFound(found)),
      hashtags: found.tags.map((tag) => presentTag(tag, found.around)),
    }),
  }),
  endpoint({
    path: "v1/search",
    methods: ["GET"],
    access: "channel",
    scope: "read:search",
    summary: "The same with hashtags as texts, as older applications know it.",
    answer: "SearchV1",
    example: { q: "tea" },
    input,
    handle: find,
    present: async (found) => ({ ...(await presentFound(found)), hashtags: found.tags.map(({ name }) => name) }),
  }),
  endpoint({
    path: "v1/accounts/search",
    methods: ["GET"],
    access: "channel",
    scope: "read:accounts",
    summary: "People by the beginning of a name or nick, or by the whole address.",
    example: { q: "ann" },
    input: z.object({
      q: sentText("Name, nick, address or page."),
      resolve: question.resolve,
      following: question.following,
      limit: limit(40),
      offset: question.offset,
    }),
    async handle(hub, caller, asked) {
      checkLength(asked.q);
      const found = await findAddress(hub, caller.observer, asked.q, asked.resolve ? caller.channel : undefined);
      return showAccounts(hub, caller, await people(hub, caller, asked, found));
    },
    ...manyAccounts,
  }),
];

async function find(hub: Hub, caller: Caller | undefined, asked: Question): Promise<Found> {
  checkLength(asked.q);
  if (!caller && (asked.resolve || asked.offset > 0))
    throw new HubError("unauthenticated", needsUser, { reason: "no_credentials" });
  const anybody = await seeing(hub, caller);
  const wants = (type: string) => !asked.type || asked.type === type;
  const looksUp = asked.resolve && (wants("accounts") || wants("statuses"));
  const found = await findAddress(hub, anybody.observer, asked.q, looksUp ? caller?.channel : undefined);
  // An address is somebody's or something's alone.
  const isOne = isPageAddress(asked.q.trim());
  const ids = wants("accounts") ? await people(hub, anybody, asked, found) : [];
  const [accounts, statuses, tags] = await Promise.all([
    showAccounts(hub, anybody, ids),
    showStatuses(hub, anybody, wants("statuses") && caller ? await posts(hub, caller, asked, found) : []),
    wants("hashtags") && !isOne
      ? searchTags(hub, anybody.observer, asked.q.trim(), { count: asked.limit, skip: asked.offset })
      : [],
  ]);
  return {
    accounts,
    statuses,
    tags,
    around: await markedTags(hub, caller),
  };
}

type Address = Awaited<ReturnType<typeof findAddress>>;
type PeopleQuestion = Pick<Question, "q" | "limit" | "offset" | "following">;

async function people(hub: Hub, { observer }: Pick<Anybody, "observer">, asked: PeopleQuestion, found: Address) {
  const { limit: count, offset: skip, following: followed } = asked;
  if (found && "person" in found && !followed) return skip > 0 ? [] : [found.person];
  if (isPageAddress(asked.q.trim()) && !followed) return [];
  return searchPeople(hub, observer, asked.q, { count, skip, followed });
}

async function posts(hub: Hub, { observer }: Caller, asked: Question, found: Address) {
  const { limit: count, offset: skip, max_id, min_id, account_id: author } = asked;
  if (found && "item" in found) {
    const isWanted = skip === 0 && (author === undefined || author === found.item.author_id);
    return isWanted ? [found.item] : [];
  }
  if (isPageAddress(asked.q.trim())) return [];
  return searchStatuses(hub, observer, asked.q, {
    count,
    skip,
    ...(max_id !== undefined && { maxId: max_id - 1 }),
    ...(min_id !== undefined && { sinceId: min_id }),
    ...(author !== undefined && { author }),
  });
}

async function presentFound({ accounts, statuses }: Found) {
  return { accounts: manyAccounts.present(accounts), statuses: await manyStatuses.present(statuses) };
}

function checkLength(text: string): void {
  if ([...text].length > longestQuestion) throw invalid("Query is too long");
}
