import type { User } from "../../../domain/people/users.ts";
import type { NameOf } from "../../../domain/bodies/plain-text.ts";
import { twitterDate } from "../present/dates.ts";
import { networkName } from "../present/networks.ts";

export type UserObject = ReturnType<typeof fieldsOf>;

/** Gives the user object of a person; `isProtected` where it stands for the author of a status that is not public. */
export type People = (id: number, isProtected?: boolean) => UserObject;

const noUrls = { url: { urls: [] }, description: { urls: [] } };

/** A user object with every field. A value of undefined is a field that is left out. */
export function presentUser(user: User, isProtected = false): UserObject {
  return fieldsOf(user, isProtected);
}

function fieldsOf(user: User, isProtected: boolean) {
  const nick = nickOf(user.xchan_addr);
  const id = user.xchan_id;
  return {
    id,
    id_str: String(id),
    name: user.xchan_name || nick || String(id),
    screen_name: nick || user.xchan_name || String(id),
    location: user.xchan_location || networkName(user.xchan_network),
    description: user.xchan_about,
    url: user.xchan_url,
    entities: noUrls as typeof noUrls | undefined,
    profile_image_url: user.xchan_photo_s,
    profile_image_url_https: user.xchan_photo_s,
    profile_image_url_profile_size: user.xchan_photo_m,
    profile_image_url_large: user.xchan_photo_l,
    profile_banner_url: user.cover,
    protected: isProtected,
    followers_count: user.followers,
    friends_count: user.friends,
    listed_count: 0,
    favourites_count: user.favourites,
    statuses_count: user.statuses_count,
    created_at: twitterDate(user.xchan_created),
    utc_offset: 0,
    time_zone: "UTC",
    geo_enabled: false,
    verified: user.local,
    lang: user.language,
    contributors_enabled: false,
    is_translator: false,
    is_translation_enabled: false,
    default_profile: false,
    default_profile_image: !user.pictured,
    following: user.following,
    follow_request_sent: user.requested,
    statusnet_blocking: user.blocking,
    notifications: false,
    statusnet_profile_url: user.xchan_url,
    cid: user.cid,
    pid: id,
    network: user.xchan_network,
    // Old clients colour the pages of their own user.
    profile_sidebar_fill_color: user.self ? "708fa0" : undefined,
    profile_link_color: user.self ? "6fdbe8" : undefined,
    profile_background_color: user.self ? "ededed" : undefined,
    status: undefined as object | undefined,
  };
}

/** The people of one page; each is presented once, however often they appear. */
export function peopleOf(users: ReadonlyMap<number, User>): People {
  const open = new Map<number, UserObject>();
  const hidden = new Map<number, UserObject>();
  return (id, isProtected = false) => {
    const known = isProtected ? hidden : open;
    let person = known.get(id);
    if (!person) known.set(id, (person = presentUser(users.get(id) ?? unknownUser(id), isProtected)));
    return person;
  };
}

/** Clients crash without a user object, so somebody whose record is gone still gets one (microblog contract 7.2, rule 2). */
function unknownUser(id: number): User {
  return {
    xchan_id: id,
    xchan_hash: "",
    xchan_name: "unknown",
    xchan_emoji: "",
    xchan_addr: "",
    xchan_url: "",
    xchan_network: "unknown",
    xchan_photo_l: "",
    xchan_photo_m: "",
    xchan_photo_s: "",
    xchan_created: "0001-01-01 00:00:00",
    xchan_about: "",
    xchan_location: "",
    statuses_count: 0,
    cid: 0,
    following: false,
    requested: false,
    blocking: false,
    local: false,
    self: false,
    describes: false,
    language: "",
    pictured: false,
    cover: "",
    showsConnections: false,
    friends: 0,
    followers: 0,
    favourites: 0,
  };
}

/**
 * The names by which texts mention people, so that clients can resolve them: the nick of people of this hub, the whole
 * address of others. `idOf` has whom a profile address belongs to.
 */
export function namesOf(idOf: ReadonlyMap<string, number>, users: ReadonlyMap<number, User>): NameOf {
  return (url) => {
    const user = users.get(idOf.get(url) ?? 0);
    return user && ((user.local ? nickOf(user.xchan_addr) : user.xchan_addr) || undefined);
  };
}

function nickOf(address: string): string {
  const at = address.indexOf("@");
  return at < 0 ? address : address.slice(0, at);
}
