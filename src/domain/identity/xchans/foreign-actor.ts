import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isSqlDate, zeroDate } from "../../../storage/sql.ts";
import { inOneLine } from "../hidden-signs.ts";
import { isForeignId, isSameOrigin } from "./foreign-ids.ts";
import { isHere, isWebUrl } from "./web-url.ts";

/** The kinds of actors that there are (federation contract 1.1). */
export const actorTypes = ["Person", "Group", "Service", "Organization", "Application"] as const;
export type ActorType = (typeof actorTypes)[number];

/** A key as the actor's document, or one of its own that the document names, has it. */
export type ForeignKey = { id: string; kind: "rsa" | "ed25519"; key: string };

/** What somebody says of themself: the value is filtered HTML. */
export type ActorField = {
  name: string;
  value: string;
  /** Since when the page that it names is known to lead back to them, and when it was looked at last; in the stored form. */
  verified?: string;
  checked?: string;
};

/** What the document of an actor of elsewhere says, in plain texts; what it does not say is empty. */
export type ForeignActor = {
  id: string;
  type: ActorType;
  /** `nick@host`, as WebFinger has confirmed it, else by its id. */
  address: string;
  name: string;
  /** The codes in the name for which its host has pictures. */
  emoji?: readonly string[];
  /** Without markup. */
  about: string;
  /** The page about it, at the origin of its id, or of its address. */
  url: string;
  /** Where somebody from elsewhere can ask to follow, with `%s` in the place of their address. */
  follow: string;
  inbox: string;
  sharedInbox: string;
  outbox: string;
  followers: string;
  following: string;
  featured: string;
  picture: string;
  cover: string;
  /** What else they say about themselves; the values are filtered HTML. */
  fields: readonly ActorField[];
  alsoKnownAs: readonly string[];
  /** To whom a program says that it belongs; it grants nothing. */
  attributedTo?: string | undefined;
  movedTo: string;
  manuallyApproves: boolean;
  /** Whoever follows them may answer, at once or when let in; what a post says of itself goes before. */
  letsFollowersAnswer: boolean;
  discoverable: boolean;
  /** It says that what it shows is not for everybody. */
  sensitive: boolean;
  /** When its owner changed it last, in the stored form. */
  updated: string;
  /** The keys (`did:key:…`) that stand behind it, each of which has signed that (FEP-c390). */
  subjects?: readonly string[];
  /** The hash of the identity that it has on hubs of this kind, as one of its keys has signed. */
  identity?: string;
  keys: readonly ForeignKey[];
};

const mostName = 255;
const mostAbout = 65_535;
const mostFields = 16;
const mostOtherIds = 20;
const mostKeys = 10;

/**
 * What of a description can be kept. Addresses that are none, and lists and keys of other origins, are left out; what the actor
 * cannot be without is refused. Throws invalid.
 */
export function checkActor(hub: Hub, actor: ForeignActor): ForeignActor {
  const { id, inbox, address } = actor;
  if (!isForeignId(id) || isHere(hub, id)) throw refusal("actor_id_wrong");
  if (!isForeignId(inbox) || isHere(hub, inbox)) throw refusal("actor_inbox_wrong");
  if (
    !/^[^\s@\p{Cc}\p{Cf}<>"]+@[^\s@\p{Cc}\p{Cf}<>"/?#]+$/u.test(address) ||
    address.length > 1024 ||
    isHere(hub, address)
  )
    throw refusal("actor_address_wrong");
  const own = (url: string): string => (isForeignId(url) && isSameOrigin(url, id) ? url : "");
  const page = (url: string): string => (isForeignId(url) && isWebUrl(url) ? url : "");
  const [nick = "", host] = address.split("@");
  // Mentions and look-ups know people by their pages: nobody has one at somebody else's place.
  const isTheirs = (url: string): boolean => isSameOrigin(url, id) || isSameOrigin(url, `https://${host}/`);
  return {
    ...actor,
    name: [...inOneLine(plain(actor.name))].slice(0, mostName).join("") || nick,
    about: plain(actor.about).slice(0, mostAbout).toWellFormed(),
    url: (isTheirs(actor.url) && page(actor.url)) || id,
    follow: page(actor.follow.replace("%s", "x")) && actor.follow,
    sharedInbox: own(actor.sharedInbox),
    outbox: own(actor.outbox),
    followers: own(actor.followers),
    following: own(actor.following),
    featured: own(actor.featured),
    picture: page(actor.picture),
    cover: page(actor.cover),
    fields: actor.fields.slice(0, mostFields).map(({ name, value }) => ({
      name: inOneLine(plain(name)).slice(0, mostName).toWellFormed(),
      value: plain(value),
    })),
    alsoKnownAs: actor.alsoKnownAs.filter(isForeignId).slice(0, mostOtherIds),
    attributedTo: actor.type === "Service" && isForeignId(actor.attributedTo ?? "") ? actor.attributedTo : undefined,
    movedTo: isForeignId(actor.movedTo) ? actor.movedTo : "",
    updated: isSqlDate(actor.updated) ? actor.updated : zeroDate,
    keys: actor.keys.filter((key) => isForeignId(key.id) && isSameOrigin(key.id, id)).slice(0, mostKeys),
  };
}

/** No column takes these. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
