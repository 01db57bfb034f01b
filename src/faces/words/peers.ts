import type { peersRefusals } from "../../refusals/peers.ts";
import type { Messages } from "../../refusals/messages.ts";

export const peersWords: Messages<typeof peersRefusals> = {
  host_wrong: "This is not the name of a server.",
  own_host: "This hub cannot block itself.",
  host_suspended: "This hub has nothing to do with that server.",
  looked_up_too_often: ({ most }) => `You have looked up ${most} addresses within an hour. Wait a while.`,
  list_wrong: "This is not a list of servers.",
  list_subscribed: "This list is followed already.",
  block_lists_too_many: ({ most }) => `More than ${most} lists cannot be followed.`,
  list_address_wrong: "This is no address on the web.",
  list_not_fetched: "The list cannot be had there just now.",
  list_too_long: ({ most }) => `A list has at most ${most} bytes.`,
  comment_too_long: ({ most }) => `A comment has at most ${most} characters.`,
};
