import type { StreamQuery } from "../../src/domain/items/types.ts";

/** Native contract 6.3 over plain lists: slow, and simple enough to be read against the contract. */

/** As much of an item as the filters look at; people are named by numbers. */
export type PlainItem = {
  id: number;
  parent: number;
  top: boolean;
  mid: string;
  author: number;
  owner: number;
  created: string;
  commented: string;
  received: string;
  type: number;
  hidden: boolean;
  /** Deleted, unpublished, delayed, about to be removed or blocked. */
  keptOut: boolean;
  deleted: boolean;
  notshown: boolean;
  starred: boolean;
  unseen: boolean;
  wall: boolean;
  mentionsMe: boolean;
  verb: "post" | "share" | "follow" | "unfollow";
  body: string;
  toGroup: boolean;
  categories: string[];
  tags: string[];
  folders: string[];
};

export type PlainWorld = {
  me: number;
  items: PlainItem[];
  /** By person: what the channel has noted of them. */
  connections: Map<number, { abookId: number; hash: string; closeness: number; blocked: boolean }>;
  groupMembers: number[];
};

/** The ids that the stream answers, in their order. */
export function expectedStream(world: PlainWorld, query: StreamQuery): number[] {
  const wanted = world.items.filter((item) => !isBlocked(world, item.author) && !isBlocked(world, item.owner));
  const page = (items: PlainItem[]) => items.slice(query.start, query.start + query.records);
  if (query.nouveau) {
    const singles = wanted.filter((item) => isShown(query, item) && matches(world, query, item, [item]));
    return page(singles.toSorted((a, b) => newest(a.received, b.received) || b.id - a.id)).map((item) => item.id);
  }
  const by = query.order === "post" ? "created" : "commented";
  const tops = page(
    wanted
      .filter((item) => item.top && isOfKind(query, item) && (query.includeFollow || !follows(item)))
      .filter((item) => matches(world, query, item, query.top ? [item] : threadOf(world, item), threadOf(world, item)))
      .toSorted((a, b) => newest(a[by], b[by]) || b.id - a.id),
  );
  if (query.top) return tops.map((item) => item.id);
  const members = (top: PlainItem) =>
    wanted
      .filter((item) => !item.top && item.parent === top.id && isShown(query, item))
      .toSorted((a, b) => newest(b.created, a.created) || a.id - b.id);
  return tops
    .flatMap((top) => [top, ...members(top)])
    .map((item) => item.id)
    .filter((id) => id > (query.sinceId ?? 0));
}

function newest(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

function threadOf(world: PlainWorld, top: PlainItem): PlainItem[] {
  return world.items.filter((item) => item.parent === top.id);
}

function isBlocked(world: PlainWorld, person: number): boolean {
  return world.connections.get(person)?.blocked === true;
}

function follows(item: PlainItem): boolean {
  return item.verb === "follow" || item.verb === "unfollow";
}

function isOfKind(query: StreamQuery, item: PlainItem): boolean {
  const kind = query.pages ? 3 : query.itemType;
  return !item.hidden && !item.keptOut && (kind === "*" || item.type === kind);
}

/** With the wish for them, what somebody said about following a thread, which is hidden. */
function isShown(query: StreamQuery, item: PlainItem): boolean {
  if (!query.includeFollow) return isOfKind(query, item) && !follows(item);
  return isOfKind(query, item) || (follows(item) && item.hidden && item.notshown && !item.deleted);
}

/** `ids` are the items of which one must be new enough, `place` those of which one must have what is asked for. */
function matches(
  world: PlainWorld,
  query: StreamQuery,
  item: PlainItem,
  ids: PlainItem[],
  place: PlainItem[] = ids,
): boolean {
  const some = (test: (one: PlainItem) => boolean) => place.some((one) => isOfKind(query, one) && test(one));
  const single = query.nouveau || query.top;
  const search = query.search?.toLowerCase();
  const searchedTag = search?.startsWith("#") ? search.slice(1) : undefined;
  const threadTop = world.items.find((one) => one.id === item.parent);
  const tests = [
    query.sinceId === undefined || ids.some((one) => one.id > query.sinceId! && (single || isOfKind(query, one))),
    query.dbegin === undefined || item.created >= query.dbegin,
    query.dend === undefined || item.created <= query.dend,
    !query.star || item.starred,
    !query.wall || item.wall,
    !query.unseen || some((one) => one.unseen),
    !query.conv || some((one) => one.author === world.me || one.mentionsMe),
    query.mid === undefined || (threadTop?.top === true && threadTop.mid === query.mid),
    query.itemId === undefined || item.parent === query.itemId,
    query.groupId === undefined ||
      (world.groupMembers.length > 0 &&
        (world.groupMembers.some((member) => member === item.author || member === item.owner) || item.toGroup)),
    query.connectionId === undefined || isBy(world, item, (known) => known.abookId === query.connectionId),
    query.xchan === undefined || isBy(world, item, (known) => known.hash === query.xchan),
    isClose(world, query, item),
    query.category === undefined || some((one) => one.categories.includes(query.category!.toLowerCase())),
    query.tag === undefined || some((one) => one.tags.includes(query.tag!.toLowerCase())),
    searchedTag === undefined || some((one) => one.tags.includes(searchedTag)),
    query.file === undefined || some((one) => one.folders.includes(query.file!.toLowerCase())),
    search === undefined || searchedTag !== undefined || some((one) => one.body.toLowerCase().includes(search)),
    query.verb === undefined || item.verb === query.verb,
  ];
  return tests.every(Boolean);
}

function isBy(
  world: PlainWorld,
  item: PlainItem,
  test: (known: { abookId: number; hash: string }) => boolean,
): boolean {
  return [...world.connections].some(
    ([person, known]) => test(known) && (person === item.author || person === item.owner),
  );
}

function isClose(world: PlainWorld, { closestMin, closestMax }: StreamQuery, item: PlainItem): boolean {
  const closeness = world.connections.get(item.author)?.closeness ?? 99;
  return closeness >= closestMin && closeness <= closestMax;
}
