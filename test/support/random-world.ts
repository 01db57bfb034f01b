import fc from "fast-check";
import { limits, permissionNames } from "../../src/domain/identity/channels/roles.ts";

/** Small worlds of channels, connections, groups and items in any state the tables allow, lawful or not. */

export const people = 5;
/** The last person lives elsewhere, on a network that is not native. */
export const foreigner = people - 1;
/** After the people come guests of the channels: each has a key to the channel that `guests` names, or to none any more. */
export const guestCount = 2;
export const isGuest = (who: number): boolean => who >= people && who < unmet;
/** At last somebody of elsewhere who has shown who they are, and of whom the hub knows nothing else. */
export const unmet = people + guestCount;
export const isElsewhere = (who: number): boolean => who === foreigner || who === unmet;

export type WorldConnection = {
  from: number;
  to: number;
  pending: boolean;
  blocked: boolean;
  ignored: boolean;
  profile: "" | "friends-only";
  grants: string[];
};

export type WorldItem = {
  uid: number;
  /** Conversations, pages and wikis are looked at with a permission each. */
  kind: "conversation" | "page" | "wiki" | "photo";
  wall: boolean;
  private: number;
  policy: string;
  allowPeople: number[];
  allowGroups: string[];
  denyPeople: number[];
  denyGroups: string[];
  flaw: string;
  /** How an answer in a thread of elsewhere stands to the foreigner, who owns it or is named there, or does neither. */
  said: "" | "owner" | "named" | "others" | "unsent";
};

export type World = {
  channels: { removed: boolean; moved: boolean; limits: Record<string, number> }[];
  connections: WorldConnection[];
  groups: { uid: number; deleted: boolean; members: number[] }[];
  items: WorldItem[];
  guests: { of: number | "nobody"; grants: string[] }[];
  blockPublic: boolean;
};

const person = fc.nat(people - 1);
const local = fc.nat(people - 2);
const someone = fc.uniqueArray(fc.nat(people + guestCount - 1), { maxLength: 3 });
const groupName = fc.constantFrom("g0", "g1", "g2", "vp.friends-only");

const channel = fc.record({
  removed: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  moved: fc.boolean(),
  limits: fc.record(
    Object.fromEntries(permissionNames.map((name) => [name, fc.constantFrom(...Object.values(limits), 3)])),
  ) as fc.Arbitrary<Record<string, number>>,
});

const connection = fc.record({
  from: local,
  to: person,
  pending: fc.boolean(),
  blocked: fc.integer({ min: 0, max: 4 }).map((dice) => dice === 0),
  ignored: fc.boolean(),
  profile: fc.constantFrom("" as const, "friends-only" as const),
  grants: fc.subarray([...permissionNames]),
});

const item = fc
  .record({
    uid: local,
    kind: fc.constantFrom(...(["conversation", "conversation", "page", "wiki", "photo"] as const)),
    wall: fc.boolean(),
    private: fc.constantFrom(0, 1),
    policy: fc.constantFrom(
      "",
      "self",
      "contacts",
      "specific",
      "any connections",
      "site: hub.example",
      "site: other.example",
      "network: red",
      "authenticated",
    ),
    allowPeople: someone,
    allowGroups: fc.uniqueArray(groupName, { maxLength: 1 }),
    denyPeople: someone,
    denyGroups: fc.uniqueArray(groupName, { maxLength: 1 }),
    flaw: fc.constantFrom(
      "",
      "",
      "",
      "item_hidden",
      "item_deleted",
      "item_delayed",
      "item_blocked",
      "item_unpublished",
    ),
    listed: fc.boolean(),
    said: fc.constantFrom("", "", "owner", "named", "others", "unsent"),
  })
  .map(({ listed, ...row }): WorldItem => {
    const lists = listed ? row : { ...row, allowPeople: [], allowGroups: [], denyPeople: [], denyGroups: [] };
    const named = [lists.allowPeople, lists.allowGroups, lists.denyPeople, lists.denyGroups].some(
      (list) => list.length > 0,
    );
    // Storing an item makes it private when anything restricts it (native contract 3.5).
    const isPrivate = named || row.policy !== "" ? 1 : row.private;
    // Such an answer is on nobody's wall here.
    return { ...lists, private: isPrivate, wall: row.wall && row.said === "" };
  });

export const worlds: fc.Arbitrary<World> = fc.record({
  channels: fc.array(channel, { minLength: people - 1, maxLength: people - 1 }),
  connections: fc
    .uniqueArray(connection, { maxLength: 10, selector: (row) => `${row.from} ${row.to}` })
    .map((rows) => rows.filter((row) => row.from !== row.to)),
  groups: fc.tuple(
    ...[0, 1, 2].map(() =>
      fc.record({ uid: local, deleted: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0), members: someone }),
    ),
  ),
  items: fc.array(item, { minLength: 3, maxLength: 8 }),
  guests: fc.array(
    fc.record({ of: fc.oneof(local, fc.constant("nobody" as const)), grants: fc.subarray([...permissionNames]) }),
    { minLength: guestCount, maxLength: guestCount },
  ),
  blockPublic: fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0),
});
