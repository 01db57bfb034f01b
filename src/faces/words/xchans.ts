import type { xchansRefusals } from "../../refusals/xchans.ts";
import type { Messages } from "../../refusals/messages.ts";

export const xchansWords: Messages<typeof xchansRefusals> = {
  hash_or_guid_needed: "A hash or a guid is needed.",
  guests_are_made: "Guests are made by those whom they visit.",
  hash_wrong: "A hash has no spaces and no brackets.",
  web_address_wrong: "This is not an http or https address.",
  photo_not_public: "This address is not public.",
  network_unknown: "This is not the name of a network.",
  network_not_added: "Identities of this network cannot be added.",
  guid_signature_wrong: "The signature does not fit guid and key.",
  hash_not_fitting: "The hash does not fit guid and key.",
  address_is_ours: "Addresses of this hub belong to its channels.",
  actor_id_wrong: "This cannot be the id of somebody on another server.",
  actor_inbox_wrong: "Nobody on another server is reached at this address.",
  actor_address_wrong: "This cannot be the address of somebody on another server.",
};
