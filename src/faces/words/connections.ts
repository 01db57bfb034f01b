import type { connectionsRefusals } from "../../refusals/connections.ts";
import type { Messages } from "../../refusals/messages.ts";

export const connectionsWords: Messages<typeof connectionsRefusals> = {
  abconfig_value_wrong: "This value is empty or too long.",
  no_such_permission: "This is not the name of a permission.",
  permission_value_wrong: "A permission is 1 or 0.",
  blocked_by_you: "You have blocked this person. End that first.",
  not_a_request: "This is not a request.",
  not_from_itself: "A channel cannot disconnect from itself.",
  identity_deleted: "This identity does not exist any more.",
  network_cannot: "People of this network cannot be connected with.",
  not_following: "You do not follow this person.",
  too_many_follows: ({ most }) => `You have asked ${most} people of other servers within a day. Go on tomorrow.`,
  guest_name_taken: "There is a guest with this name already.",
  guest_identity_taken: "There is another guest with this identity already.",
  not_a_request_again: "A connection cannot become a request.",
  not_of_itself: "This cannot be changed for the channel itself.",
  closeness_wrong: "Closeness goes from 0 to 99.",
  rules_too_long: "The rules are too long.",
  not_own_profile: "This is not a profile of the channel.",
  group_name_needed: "A group needs a name.",
  group_name_taken: "There is a group with this name already.",
  own_channel: ({ deed }) => `A channel cannot ${deed === "connect" ? "connect to" : deed} itself.`,
  note_too_long: ({ most }) => `A note has at most ${most} characters.`,
  guest_name_needed: "A guest needs a name.",
  guest_name_wrong: ({ most }) => `The name of a guest has at most ${most} characters, and no commas and brackets.`,
  unknown_audience: ({ what }) => (what === "group" ? "Unknown privacy group." : "Unknown connection."),
};
