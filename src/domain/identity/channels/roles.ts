import { recordOf } from "../../../record-of.ts";
/** The permission names in the order in which they are always listed. */
export const permissionNames = [
  "view_stream",
  "send_stream",
  "view_profile",
  "view_contacts",
  "view_storage",
  "write_storage",
  "view_pages",
  "view_wiki",
  "write_pages",
  "write_wiki",
  "post_wall",
  "post_comments",
  "post_mail",
  "post_like",
  "tag_deliver",
  "chat",
  "republish",
  "delegate",
] as const;

/** A permission of native contract 3.1. */
export type PermissionName = (typeof permissionNames)[number];

/** The bit of each permission in `abook_my_perms`; the wiki permissions have none. */
export const permissionBits: Record<PermissionName, number> = {
  view_stream: 0x00001,
  view_profile: 0x00002,
  view_contacts: 0x00008,
  send_stream: 0x00010,
  post_wall: 0x00020,
  tag_deliver: 0x00040,
  post_comments: 0x00080,
  post_mail: 0x00100,
  chat: 0x00400,
  delegate: 0x00800,
  view_storage: 0x01000,
  write_storage: 0x02000,
  view_pages: 0x04000,
  write_pages: 0x08000,
  republish: 0x10000,
  post_like: 0x20000,
  view_wiki: 0,
  write_wiki: 0,
};

/** How far a permission reaches. */
export const limits = {
  self: 0,
  public: 1,
  network: 2,
  site: 4,
  contacts: 8,
  specific: 128,
  authenticated: 256,
  anyConnections: 512,
} as const;

export type Role = {
  /** What each approved connection may do; undefined where the owner sets that one by one. */
  grants: readonly PermissionName[] | undefined;
  limits: Record<PermissionName, number>;
  autoApprove: boolean;
  /** New items go to the group Friends unless the author says otherwise. */
  audienceFriends: boolean;
  inDirectory: boolean;
  showsOnline: boolean;
  forum: boolean;
};

const reading: PermissionName[] = [
  "view_stream",
  "view_profile",
  "view_contacts",
  "view_storage",
  "view_pages",
  "view_wiki",
];
const forumPrivateReading: PermissionName[] = [
  "view_profile",
  "view_contacts",
  "view_storage",
  "view_pages",
  "view_wiki",
];

type Traits = "auto" | "friends" | "listed" | "online" | "forum";

function role(grants: string, traits: Traits[], specific: PermissionName[] = []): Role {
  return {
    grants: [...reading, ...(grants.split(" ") as PermissionName[])],
    limits: standardLimits(specific),
    autoApprove: traits.includes("auto"),
    audienceFriends: traits.includes("friends"),
    inDirectory: traits.includes("listed"),
    showsOnline: traits.includes("online"),
    forum: traits.includes("forum"),
  };
}

function standardLimits(specific: PermissionName[]): Record<PermissionName, number> {
  const isOpen = (name: PermissionName): boolean => isReading(name) && !specific.includes(name);
  return recordOf(permissionNames, (name) => (isOpen(name) ? limits.public : limits.specific));
}

const talk = "post_wall post_comments post_mail";
const feed = `send_stream ${talk} post_like republish`;

/** The table of native contract 3.6. */
export const roles = {
  social: role(`send_stream ${talk} chat post_like republish`, ["listed", "online"]),
  social_restricted: role(`send_stream ${talk} chat post_like`, ["friends", "listed", "online"]),
  social_private: role(`send_stream ${talk} post_like`, ["friends"], ["view_contacts", "view_storage"]),
  forum: role(`${talk} tag_deliver post_like republish chat`, ["auto", "listed", "forum"]),
  forum_restricted: role(`${talk} tag_deliver post_like chat`, ["friends", "listed", "forum"]),
  forum_private: role(`${talk} post_like chat`, ["friends", "forum"], forumPrivateReading),
  feed: role(feed, ["auto", "listed"]),
  feed_restricted: role(feed, ["friends"]),
  soapbox: role("post_like republish", ["auto", "listed"]),
  repository: role(`write_storage write_pages ${talk} tag_deliver post_like republish chat write_wiki`, [
    "auto",
    "listed",
  ]),
  custom: { ...role("post_like", ["friends", "listed", "online"]), grants: undefined },
} as const satisfies Record<string, Role>;

export type RoleName = keyof typeof roles;
export const roleNames = Object.keys(roles) as RoleName[];

/** What a channel of the role `custom` grants before its owner changes anything. */
const customGrants: readonly PermissionName[] = roles.social_restricted.grants!.filter((name) => name !== "post_wall");

/** Is this the name of a role? */
export function isRoleName(name: string): name is RoleName {
  return Object.hasOwn(roles, name);
}

/** Is this one of the 18 permission names? */
export function isPermissionName(name: string): name is PermissionName {
  return Object.hasOwn(permissionBits, name);
}

/** Read permissions are the names that start with `view_`. */
export function isReading(permission: PermissionName): boolean {
  return permission.startsWith("view_");
}

/** What the role grants each approved connection; for `custom` what it starts with. */
export function grantsOf(name: RoleName): Record<PermissionName, 0 | 1> {
  return grantRecord(roles[name].grants ?? customGrants);
}

/** All 18 permissions, 1 for those in the list. */
export function grantRecord(granted: readonly string[]): Record<PermissionName, 0 | 1> {
  return recordOf(permissionNames, (name) => (granted.includes(name) ? 1 : 0));
}
