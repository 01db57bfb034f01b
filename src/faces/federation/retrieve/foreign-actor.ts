import type { ForeignActor, ForeignKey } from "../../../domain/identity/xchans/foreign-actor.ts";
import { identityHash, verifySignature } from "../../../domain/identity/xchans/signing.ts";
import type { Actor } from "../translate/actor.ts";
import { answerersOf } from "../translate/policy.ts";
import { readAddress } from "./web-finger.ts";
import type { Confirmed } from "./web-finger.ts";

/** What is known beside the document; `updated` in the stored form of dates. */
export type Besides = {
  keys: readonly ForeignKey[];
  confirmed: Confirmed | undefined;
  about: string;
  /** Their values as filtered HTML. */
  fields: ForeignActor["fields"];
  /** The codes in the name that are pictures. */
  emoji: readonly string[];
  updated: string;
  /** The keys that stand behind it. */
  subjects: readonly string[];
};

/** What a document says of an actor, as the hub keeps it. Pure. */
export function foreignActor(actor: Actor, besides: Besides): ForeignActor {
  const { keys, confirmed, about, fields, emoji, updated, subjects } = besides;
  const page = actor.links.find(({ mediaType, rel }) => mediaType === "text/html" || rel === "profile");
  return {
    id: actor.id,
    type: actor.type,
    address: confirmed?.address ?? addressOf(actor),
    name: actor.name ?? actor.preferredUsername ?? "",
    emoji,
    about,
    url: (page ?? actor.links[0])?.href ?? "",
    follow: confirmed?.follow ?? "",
    inbox: actor.inbox,
    sharedInbox: actor.sharedInbox ?? "",
    outbox: actor.outbox ?? "",
    followers: actor.followers ?? "",
    following: actor.following ?? "",
    featured: actor.featured ?? "",
    picture: actor.icon?.links[0]?.href ?? "",
    cover: actor.image?.links[0]?.href ?? "",
    fields,
    alsoKnownAs: actor.alsoKnownAs,
    attributedTo: actor.attributedTo[0],
    movedTo: actor.movedTo ?? "",
    manuallyApproves: actor.manuallyApprovesFollowers,
    letsFollowersAnswer: answerersOf(actor.reply, actor.followers) !== "self",
    discoverable: actor.discoverable ?? true,
    sensitive: actor.sensitive,
    updated,
    subjects,
    identity: identityIn(actor, keys),
    keys,
  };
}

/** The identity that a channel of this kind of hub has everywhere: one of its keys has signed what that is derived from. */
function identityIn({ guid, guidSignature }: Actor, keys: Besides["keys"]): string {
  if (guid === "" || guid.length > longestGuid) return "";
  const own = keys.find(({ kind, key }) => kind === "rsa" && verifySignature(key, guid, guidSignature));
  return own ? identityHash(guid, own.key) : "";
}

const longestGuid = 255;

/** The address that nobody has confirmed: the name of the actor at the host of its id. */
export function addressOf({ id, preferredUsername }: Pick<Actor, "id" | "preferredUsername">): string {
  const { host, pathname } = new URL(id);
  const [last] = pathname.split("/").toReversed();
  return readAddress(`${preferredUsername ?? ""}@${host}`) ?? readAddress(`${last}@${host}`) ?? `someone@${host}`;
}
