/** The sheet of keys. */
export const keys = {
  title: "Keys",
  next: "Next post",
  before: "Post before",
  open: "Open the post",
  like: "Like",
  comment: "Comment",
  share: "Share",
  new: "New post",
  search: "Search",
  show: "Show these keys",
  use: "Use these keys in this browser",
  close: "Close",
} as const;
