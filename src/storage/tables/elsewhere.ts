import type { Generated } from "kysely";

/** Where an identity of another hub is reached (federation contract 1.4); `compared` is its id in the form in which ids compare. */
export type ActorTable = {
  id: Generated<number>;
  actor_id: string;
  compared: string;
  xchan_id: number;
  type: string;
  inbox: string;
  host: string;
  shared_inbox: Generated<string>;
  outbox: Generated<string>;
  followers: Generated<string>;
  following: Generated<string>;
  featured: Generated<string>;
  /** Other ids of the same person, as a JSON list. */
  also_known_as: Generated<string>;
  moved_to: Generated<string>;
  /** Address of the picture that was copied last. */
  picture: Generated<string>;
  manually_approves: Generated<number>;
  /** When the document was read, and when its owner changed it last. */
  fetched: string;
  updated: Generated<string>;
  /** When it went; unset for one that is there. */
  gone: Generated<string>;
};

/** A key of theirs (federation contract 1.3): `kind` is rsa or ed25519, `key` PEM or multibase, `owner` the actor's id. */
export type ActorKeyTable = {
  id: Generated<number>;
  key_id: string;
  owner: string;
  kind: string;
  key: string;
  fetched: string;
  /** When the owner's document named it no more. */
  gone: Generated<string>;
};

/** Another hub, by its host as addresses have it. */
export type PeerTable = { id: Generated<number>; host: string; first_contact: string; last_contact: string };
