import { row } from "./row.ts";

/** Identities of here and elsewhere. */
export const xchansRefusals = {
  hash_or_guid_needed: row("invalid", "hash"),
  guests_are_made: row("invalid", "hash"),
  hash_wrong: row("invalid", "hash"),
  web_address_wrong: row("invalid"),
  photo_not_public: row("invalid", "photo"),
  network_unknown: row("invalid", "network"),
  network_not_added: row("invalid", "network"),
  guid_signature_wrong: row("invalid", "guid_sig"),
  hash_not_fitting: row("invalid", "hash"),
  address_is_ours: row("invalid", "address"),
  actor_id_wrong: row("invalid", "id"),
  actor_inbox_wrong: row("invalid", "inbox"),
  actor_address_wrong: row("invalid", "address"),
};
