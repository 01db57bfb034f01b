import { fromSqlDate } from "../../storage/sql.ts";
import type { NoticeKind } from "./kinds.ts";

/** As much of a notice as says which others it stands with. */
type Told = {
  kind: string;
  verb: string;
  actor_id: number;
  created: string;
  hash: string;
  /** What it is about, by an id of its own: an item, the top of a thread, a message that was shared; 0 where that is not known. */
  thing: number;
};

const day = 24 * 3600 * 1000;

/**
 * The name that notices of a channel share which tell of one thing, in one day (UTC): "Bob and 3 others like a post". Letters,
 * digits and hyphens; it follows from the notice alone, so those that come later find their group.
 */
export function groupKeyOf(told: Told): string {
  const name = Object.hasOwn(groups, told.kind) ? groups[told.kind as NoticeKind]?.(told) : undefined;
  if (name === undefined) return `ungrouped-${told.hash.slice(0, 16)}`;
  return `${name}-${Math.floor(fromSqlDate(told.created).getTime() / day)}`;
}

/** The kinds that stand together, by what they have in common; undefined for one that stands alone all the same. */
const groups: { readonly [K in NoticeKind]?: (told: Told) => string | undefined } = {
  reaction: ({ verb, thing }) => about(/\/(\w+)(?:#.*)?$/.exec(verb)?.[1] ?? "reaction", thing),
  share: ({ thing }) => about("share", thing),
  tag: ({ thing }) => about("tag", thing),
  comment: ({ thing }) => about("comment", thing),
  follower: () => "follower",
  mail: ({ actor_id }) => about("mail", actor_id),
};

function about(name: string, id: number): string | undefined {
  return id > 0 ? `${name}-${id}` : undefined;
}
