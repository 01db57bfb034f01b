import { row } from "./row.ts";

/** Other hubs. */
export const peersRefusals = {
  host_wrong: row("invalid", "domain"),
  own_host: row("invalid", "domain"),
  host_suspended: row("denied"),
  looked_up_too_often: row<{ most: number }>("too-many"),
  list_wrong: row("invalid", "list"),
  list_subscribed: row("conflict", "url"),
  block_lists_too_many: row<{ most: number }>("invalid", "url"),
  list_address_wrong: row("invalid", "url"),
  list_not_fetched: row("invalid", "url"),
  list_too_long: row<{ most: number }>("too-large", "list"),
  comment_too_long: row<{ most: number }>("invalid"),
};
