import type { ForeignActor } from "../../src/domain/identity/xchans/foreign-actor.ts";
import { zeroDate } from "../../src/storage/sql.ts";

/** Nobody has the other half: what is stored is not read as a key. */
const publicKey = "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n";

/** An actor of `far.example` as its document describes it. */
export function actorOf(nick: string, more: Partial<ForeignActor> = {}): ForeignActor {
  const id = `https://far.example/users/${nick}`;
  return {
    id,
    type: "Person",
    address: `${nick}@far.example`,
    name: nick[0]!.toUpperCase() + nick.slice(1),
    about: "",
    url: `https://far.example/@${nick}`,
    follow: "https://far.example/authorize_interaction?uri=%s",
    inbox: `${id}/inbox`,
    sharedInbox: "https://far.example/inbox",
    outbox: `${id}/outbox`,
    followers: `${id}/followers`,
    following: `${id}/following`,
    featured: "",
    picture: "",
    cover: "",
    fields: [],
    alsoKnownAs: [],
    movedTo: "",
    manuallyApproves: true,
    letsFollowersAnswer: true,
    discoverable: true,
    sensitive: false,
    updated: zeroDate,
    keys: [{ id: `${id}#main-key`, kind: "rsa", key: publicKey }],
    ...more,
  };
}
