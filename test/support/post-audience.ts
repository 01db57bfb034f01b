/**
 * Whom a post is for, by the words of mastodon contract 6.2 and 6.3 alone: a plain oracle for ann, who posts for everybody without a word,
 * and ada, whose usual audience is her choir. Both are connected with bob, cara and dora, and not with eve.
 */

export type Name = "ann" | "ada" | "bob" | "cara" | "dora" | "eve" | "nobody";
type Person = Exclude<Name, "ann" | "ada" | "nobody">;
type Title = "Choir" | "Close friends";

export type Asked = {
  visibility: string | undefined;
  localOnly: boolean;
  lists: { groups: Title[]; people: Person[]; denied: Person[] } | undefined;
  /** The names in a first line. */
  address: string[];
  /** Mentioned in the text, privately and otherwise. */
  privately: Person[];
  mentioned: Person[];
};

const local: readonly Name[] = ["ann", "ada", "bob", "cara", "dora", "eve"];
const everybody: readonly Name[] = [...local, "nobody"];
const connected: readonly Name[] = ["bob", "cara", "dora"];
const members: Record<Title, readonly Name[]> = { Choir: ["bob"], "Close friends": ["bob", "cara"] };

/** Who sees it, or that it is refused. */
export function oracleSees(author: "ann" | "ada", asked: Asked): Set<Name> | "refused" {
  const { visibility, localOnly, lists, address, privately, mentioned } = asked;
  const isForSome = lists !== undefined || address.length > 0;
  if (visibility === "direct") {
    const names = address.map(namedBy);
    if (lists || localOnly || names.some(({ isGroup }) => isGroup)) return "refused";
    const people = new Set<Name>([author, ...mentioned, ...privately, ...names.flatMap(({ people }) => people)]);
    // Nobody is connected with eve, who takes messages from connections only.
    return people.has("eve") ? "refused" : people;
  }
  const isLocal = localOnly || visibility === "local";
  const isOpen = visibility === "public" || visibility === "unlisted" || (visibility === undefined && author === "ann");
  if (isForSome && isLocal) return "refused";
  if (localOnly && !isOpen && visibility !== "local") return "refused";
  if (lists) {
    const isDenied = (name: Name): boolean => lists.denied.some((one) => one === name);
    return withPrivately(
      author,
      ofLists(lists),
      privately.filter((name) => !isDenied(name)),
      privately.length > 0,
    );
  }
  if (address.length > 0)
    return withPrivately(
      author,
      address.flatMap((name) => namedBy(name).people),
      privately,
    );
  if (isLocal) return withPrivately(author, local, privately);
  if (isOpen) return withPrivately(author, everybody, privately);
  const group = /(Choir|Close friends)$/.exec(visibility ?? "")?.[1] as Title | undefined;
  if (group) return withPrivately(author, members[group], privately);
  return withPrivately(author, author === "ada" ? members.Choir : connected, privately);
}

/** A private mention in the text takes the place of everything else, but of who is denied. */
function withPrivately(
  author: Name,
  people: readonly Name[],
  privately: readonly Name[],
  isPrivate = privately.length > 0,
): Set<Name> {
  return new Set([author, ...(isPrivate ? privately : people)]);
}

/** Lists that only deny are for connections. */
function ofLists({ groups, people, denied }: NonNullable<Asked["lists"]>): Name[] {
  const allowed = groups.length + people.length > 0 ? [...groups.flatMap((one) => members[one]), ...people] : connected;
  return allowed.filter((name) => !denied.some((one) => one === name));
}

function namedBy(name: string): { isGroup: boolean; people: readonly Name[] } {
  if (/choir/i.test(name)) return { isGroup: true, people: members.Choir };
  if (/close/i.test(name)) return { isGroup: true, people: members["Close friends"] };
  return { isGroup: false, people: [name.includes("cara") ? "cara" : "eve"] };
}
