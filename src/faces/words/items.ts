import type { itemsRefusals } from "../../refusals/items.ts";
import type { Messages } from "../../refusals/messages.ts";

const spans = { day: "Daily", week: "Weekly", month: "Monthly" } as const;

/** Why somebody may not do something with what somebody elsewhere wrote: these words stand wherever it is tried. */
export const permitWords = {
  likes_limited: "Its author lets only some people react to this, and you are not among them.",
  shares_limited: "Its author lets only some people share this, and you are not among them.",
  quotes_limited: "Its author lets only some people quote this, and you are not among them.",
} as const;

export const itemsWords: Messages<typeof itemsRefusals> = {
  comments_closed: "This thread takes no more comments.",
  not_an_object: ({ field }) => `${field} is not an object.`,
  not_a_file_list: "attach is not a list of files.",
  activity_too_long: ({ field }) => `${field} is too long.`,
  not_json: ({ field }) => `${field} is not JSON.`,
  scope_unknown: "Unknown scope word.",
  duplicate_post: "This has been posted already.",
  repeated: "You have written the same just now.",
  tag_needed: "Write the tag.",
  post_id_unknown: "There is no such post.",
  folder_name_needed: "Name the folder.",
  author_unknown: "Unknown author.",
  permalink_wrong: "The permalink is no web address.",
  parent_needed: "A reaction needs a parent.",
  message_id_wrong: "Unusable message id.",
  unknown_verb: "This reaction is not known.",
  search_needed: "Write what you look for.",
  searches_full: ({ most }) => `You can save ${most} searches.`,
  filter_words_needed: "Write the words.",
  filter_title_needed: "Give the filter a title.",
  filter_context_needed: "Say where the filter shall count.",
  filters_full: ({ most }) => `You can have ${most} filters.`,
  followed_tag_wrong: "A hashtag is one word, with or without the # before it.",
  followed_tags_full: ({ most }) => `You can follow ${most} hashtags.`,
  not_shareable: "Only public posts can be shared.",
  ...permitWords,
  sketch_name_wrong: "This draft has no usable name.",
  sketch_posted: "This draft was sent.",
  delayed_to_the_past: "This date has come already.",
  not_pinnable: "Only posts of your own can be on top of your page.",
  pins_full: ({ most }) => `You can pin ${most} posts.`,
  own_poll: "You can't vote in your own poll.",
  poll_ended: "This poll has ended.",
  poll_options_needed: ({ fewest }) => `A poll has at least ${fewest} options.`,
  poll_options_too_many: ({ most }) => `A poll has at most ${most} options.`,
  poll_option_too_long: ({ most }) => `An option of a poll has at most ${most} characters.`,
  poll_options_alike: "Two options of the poll are the same.",
  poll_ends_before: "The poll would have ended already.",
  option_needed: "Choose an option first.",
  one_option_only: "Choose one option only.",
  option_unknown: "This poll has no such option.",
  voted_already: "You have voted already.",
  posting_limit: ({ span, most }) =>
    `${spans[span]} posting limit of ${most} ${most === 1 ? "post" : "posts"} reached. The post was rejected.`,
};
