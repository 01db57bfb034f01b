import { row } from "./row.ts";

/** Connections, guests and groups. */
export const connectionsRefusals = {
  abconfig_value_wrong: row("invalid"),
  no_such_permission: row("invalid", "k"),
  permission_value_wrong: row("invalid", "v"),
  blocked_by_you: row("denied"),
  not_a_request: row("invalid", "abook_id"),
  not_from_itself: row("invalid", "abook_id"),
  identity_deleted: row("invalid"),
  network_cannot: row("unsupported"),
  not_following: row("missing"),
  too_many_follows: row<{ most: number }>("too-many"),
  guest_name_taken: row("conflict", "name"),
  guest_identity_taken: row("conflict"),
  not_a_request_again: row("invalid", "pending"),
  not_of_itself: row("invalid"),
  closeness_wrong: row("invalid", "closeness"),
  rules_too_long: row("invalid"),
  not_own_profile: row("invalid", "profile"),
  group_name_needed: row("invalid", "name"),
  group_name_taken: row("conflict", "name"),
  own_channel: row<{ deed: "connect" | "block" | "mute" }>("invalid"),
  note_too_long: row<{ most: number }>("invalid", "comment"),
  guest_name_needed: row("invalid", "name"),
  guest_name_wrong: row<{ most: number }>("invalid", "name"),
  unknown_audience: row<{ what: "connection" | "group" }>("invalid"),
};
