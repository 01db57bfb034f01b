import type { Answer } from "./kept.ts";

/** What is answered differently on purpose, by the version that answered otherwise. */
export type Differences = {
  /** What the old answer is taken for, each with the reason. */
  changes: { why: string; types: RegExp; before: RegExp; now: (found: string, who: string) => string }[];
  /** What nothing is compared of: `who path`. */
  remade?: RegExp;
  /** What there is since, in answers of today. */
  added?: RegExp;
};

const eventDays: Differences["changes"][number] = {
  why: "an event names its day once (issue 12)",
  types: /html/,
  before: /(?<=<time datetime="[^"]*">([^<]*), \d\d:\d\d \w+<\/time> – <time datetime="[^"]*">)\1, \d\d:\d\d \w+/g,
  now: (found) => /\d\d:\d\d/.exec(found)![0],
};

const shareTimes: Differences["changes"][number] = {
  why: "what is shared says when it was written in the words of who reads (issue 12)",
  types: /html/,
  before: /(?<=>)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?=<\/a><\/header>)/g,
  now: () => "",
};
const sharedWhen = /(?<=>)<time datetime="[^"]*" title="[^"]*"\s*>[^<]*<\/time\s*>(?=<\/a><\/header>)/;

const clientsSearch: Differences = {
  changes: [
    eventDays,
    shareTimes,
    {
      why: "texts name people by what clients can resolve: @bob, not the @Bob that pages show (issue 9)",
      types: /json|application\/xml/,
      before: /(?<=("text": ".*|<text>[^<]*))@(Alma|Bob)\b/g,
      now: (found) => found.toLowerCase(),
    },
    {
      why: "the one share in this world was counted twice on pages that have it beside the post",
      types: /json|application\/xml/,
      before: /(?<="retweet_count": |<retweet_count>)2/g,
      now: () => "1",
    },
    {
      why: "a share counts how often what it repeats was shared (decision 119): the one in this world, which is alma's",
      types: /json|application\/xml/,
      before: new RegExp(
        [
          String.raw`(?:"retweeted": |<retweeted>)false(?:,|</retweeted>)\s*`,
          String.raw`(?:"favorite_count": |<favorite_count>)0(?:,|</favorite_count>)\s*`,
          String.raw`(?:"retweet_count": |<retweet_count>)0(?=[^{}]{0,200}html(?:": "<|>&lt;)article class=\\?"shared)`,
        ].join(""),
        "g",
      ),
      now: (found, who) => found.replace("false", String(who.endsWith(" alma"))).replace(/0$/, "1"),
    },
    {
      why: "people are blocked by a button where they stand, not on a page of its own (issue 12)",
      types: /html/,
      before: /^\/connections\/block\?xchan=.*\n/gm,
      now: () => "",
    },
  ],
  // Pages that members see in another form: people to connect with (decision 84) and notices in groups (83).
  remade: /^session \w+ \/(?:directory|notifications)$/,
  // Lines: exports hold the keys for proofs (decision 45), people can be reported, edited posts have their history,
  // calendars are shown by other programs. Boxes of lists of tasks have names.
  added: new RegExp(
    [
      String.raw`^(?: *"channel_ed25519_(?:pub|prv)key": .*|\/report\?.*|\/events\/subscribe|\/item\/.*\/history)\n`,
      String.raw`(?<="checkbox\\?") aria-label=\\?"(?:Done|Not done)\\?"`,
      sharedWhen.source,
    ].join("|"),
    "gm",
  ),
};

const webhookSecrets: Differences = {
  changes: [
    eventDays,
    shareTimes,
    {
      why: "a post that waits has no warning by an empty text, which every application reads (issue 13)",
      types: /json/,
      before: /(?<="spoiler_text": )null/g,
      now: () => '""',
    },
  ],
  // Settings are in sections, in another order, and whose group it is does not stand among its members (issue 12).
  remade: /^session \w+ \/(?:settings|group\/\d+)$/,
  // Documents of people say what the name of their proof key means.
  added: new RegExp(
    String.raw`^ *"assertionMethod": \{[^{}]*security#assertionMethod"[^{}]*\},\n|${sharedWhen.source}`,
    "gm",
  ),
};

/** By the folder of the version; one that is not here answered what is answered today. */
export const differences: Readonly<Record<string, Differences>> = {
  "0003-clients-search": clientsSearch,
  "0107-webhook-secrets": webhookSecrets,
};

/** The old answer as it is expected today. */
export function changed(answer: Answer, { changes }: Differences): Answer {
  const fitting = changes.filter(({ types }) => types.test(answer.type ?? ""));
  const body = fitting.reduce(
    (text, { before, now }) => text.replaceAll(before, (found) => now(found, answer.who)),
    answer.body,
  );
  return { ...answer, body };
}

/** The answer of today without what there was not before. */
export function withoutAdded(answer: Answer, { added }: Differences): Answer {
  return added ? { ...answer, body: answer.body.replaceAll(added, "") } : answer;
}
