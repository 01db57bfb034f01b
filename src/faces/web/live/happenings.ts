import type { Heard } from "../../../domain/listeners/heard.ts";

/** What open pages are told: ids of what they may show, so that they ask for it. */
export type Happenings = {
  /** What waits for the member has changed. */
  counts: boolean;
  /** New posts of the stream. */
  posts: number[];
  /** Threads, by the ids of their tops, in which something is new or different. */
  threads: number[];
  /** Posts that are not to be seen any more. */
  gone: number[];
  /** Chatrooms in which something was said. */
  rooms: number[];
  /** Conversations have changed. */
  messages: boolean;
  /** More than can be said. */
  missed: boolean;
};

/** What a page is told of what was heard. */
export function happeningsOf(heard: readonly Heard[]): Happenings {
  const has = (...kinds: Heard["what"][]): boolean => heard.some(({ what }) => kinds.includes(what));
  const [posts, threads, gone, rooms] = [new Set<number>(), new Set<number>(), new Set<number>(), new Set<number>()];
  for (const one of heard) {
    if (one.what === "new" && one.isTop && one.isShown) posts.add(one.id);
    else if (one.what === "gone" && one.isTop) gone.add(one.id);
    else if (one.what === "room") rooms.add(one.room);
    else if ("thread" in one) threads.add(one.thread);
  }
  return {
    counts: has("notices", "messages", "requests", "missed"),
    posts: [...posts],
    threads: [...threads],
    gone: [...gone],
    rooms: [...rooms],
    messages: has("messages"),
    missed: has("missed"),
  };
}

/** Is there anything to say? */
export function isEmpty({ posts, threads, gone, rooms, counts, messages, missed }: Happenings): boolean {
  return posts.length + threads.length + gone.length + rooms.length === 0 && !counts && !messages && !missed;
}
