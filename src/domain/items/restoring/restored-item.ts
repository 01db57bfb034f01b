import type { NewTerm } from "../content.ts";
import type { NewItem, NewMessage } from "../save.ts";
import type { Meta } from "../types.ts";

/** An item as an import brings it: nothing is decided any more, and rendering and signing are done. */
export type RestoredItem = {
  mid: string;
  /** What links of other hubs call it; empty where the mid tells. */
  uuid: string;
  /** The mid itself for the top of a thread. */
  parentMid: string;
  thrParent: string;
  /** Tells saved versions of one mid apart; 0 for everything but wiki pages. */
  version: number;
  authorIsLocal: boolean;
  message: Omit<NewMessage, "mid" | "parent_mid" | "thr_parent" | "uuid"> & { edited: string; body: string };
  item: Omit<NewItem, "uid" | "aid" | "message_id" | "author_id" | "parent" | "thr_parent_id">;
  terms: readonly NewTerm[];
  /** Terms of the channel alone. */
  ownTerms: readonly NewTerm[];
  meta: readonly Pick<Meta, "cat" | "k" | "v" | "sharing">[];
};

/**
 * What became of it. `no top`: its thread is not here (yet). `not theirs`: this hub cannot believe that the author, who
 * lives here, wrote it. `another text`: the message is here, and the channel did not have it.
 */
export type Restored = "added" | "updated" | "there" | "no top" | "not theirs" | "another text";
