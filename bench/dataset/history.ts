import type { AudienceName, Kind } from "./example-rows.ts";
import type { Person } from "./people.ts";
import type { Random } from "./random.ts";

/** A conversation: the owner, and who else has copies of everything in it. People are places in the list. */
export type Thread = {
  audience: AudienceName;
  /** The owner first. */
  holders: number[];
  /** In seconds since 1970, as all moments here. */
  commented: number;
  changed: number;
  /** Everybody who writes or likes something in it sooner or later. */
  writers: Set<number>;
  top: Event;
};

/** One message to come. What is below the line is filled in when its rows are written. */
export type Event = {
  at: number;
  kind: Kind;
  author: number;
  thread: Thread;
  target: Event | undefined;
  mentions: number;
  text: number;
  id: number;
  /** The id of the first holder's item; the others follow in the order of the holders. */
  firstItem: number;
  uuid: string;
};

const year = 365 * 24 * 3600;

/**
 * Plans `total` messages of the last year before `end`, in the order in which they were written: who begins many threads
 * has many connections, most threads have few comments and some have many, and likes go with comments.
 * `stars` write seldom, because very many read them; `others` are all who write besides.
 */
export function planHistory(
  people: Person[],
  total: number,
  end: number,
  random: Random,
  stars: number[],
  others: number[],
): Event[] {
  const owners = weighted(people, others);
  const rounds = Math.max(3, Math.round(total / 10_000));
  const events: Event[] = [];
  for (const place of stars) for (let n = 0; n < rounds; n++) planThread(place, people, end, random, events, 2);
  while (events.length < total) planThread(random.pick(owners), people, end, random, events, 80);
  events.length = total;
  return events.toSorted((one, other) => one.at - other.at);
}

/** These places, each as often as it has connections; those without write as well. */
function weighted(people: Person[], places: number[]): number[] {
  return places.flatMap((place) =>
    Array.from({ length: 1 + Math.min(people[place]!.connections.length, 30) }, () => place),
  );
}

function planThread(
  owner: number,
  people: Person[],
  end: number,
  random: Random,
  events: Event[],
  mostComments: number,
): void {
  const start = end - year + Math.floor(random.next() * (year - 3600));
  const thread = {
    ...audienceFor(owner, people, random),
    commented: start,
    changed: start,
    writers: new Set<number>(),
  } as Thread;
  thread.top = add(
    events,
    { at: start, kind: "top", author: owner, thread, target: undefined, mentions: mentionIn(thread, owner, random) },
    random,
  );
  const said = [thread.top];
  const talkers = thread.holders.length > 1 ? thread.holders : [];
  const comments = talkers.length > 0 ? random.longTail(2.2, mostComments) : 0;
  for (let n = 0; n < comments; n++) {
    const before = random.chance(0.3) ? random.pick(said) : thread.top;
    const at = Math.min(end - 1, said.at(-1)!.at + 30 + random.longTail(5 * 3600, 3 * 24 * 3600));
    const author = random.pick(talkers);
    said.push(
      add(
        events,
        { at, kind: "comment", author, thread, target: before, mentions: mentionIn(thread, author, random) },
        random,
      ),
    );
    thread.commented = thread.changed = at;
  }
  for (const target of said) planLikes(target, thread, talkers, end, random, events);
}

function planLikes(
  target: Event,
  thread: Thread,
  talkers: number[],
  end: number,
  random: Random,
  events: Event[],
): void {
  const wanted = random.longTail(target.kind === "top" ? 1.6 : 0.25, Math.min(talkers.length, 40));
  const fans = new Set<number>();
  for (let n = 0; n < wanted; n++) fans.add(random.pick(talkers));
  for (const author of fans) {
    const at = Math.min(end - 1, target.at + 10 + random.longTail(7200, 3 * 24 * 3600));
    add(events, { at, kind: "like", author, thread, target, mentions: -1 }, random);
    thread.changed = Math.max(thread.changed, at);
  }
}

function add(events: Event[], event: Omit<Event, "text" | "id" | "firstItem" | "uuid">, random: Random): Event {
  const whole = { ...event, text: random.below(1 << 20), id: 0, firstItem: 0, uuid: "" };
  events.push(whole);
  event.thread.writers.add(event.author);
  return whole;
}

function audienceFor(owner: number, people: Person[], random: Random): Pick<Thread, "audience" | "holders"> {
  const { connections } = people[owner]!;
  if (random.chance(0.75)) return { audience: "public", holders: [owner, ...connections] };
  if (connections.length === 0 || random.chance(0.8)) return { audience: "group", holders: [owner, ...connections] };
  const named = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(connections)));
  return { audience: "people", holders: [owner, ...named] };
}

/** Now and then somebody who has the thread is mentioned; -1 for nobody. */
function mentionIn(thread: Thread, author: number, random: Random): number {
  if (thread.holders.length < 2 || !random.chance(0.06)) return -1;
  const mentioned = random.pick(thread.holders);
  return mentioned === author ? -1 : mentioned;
}
