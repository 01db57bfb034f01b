/** What all forms say. */
export const forms = {
  optional: "optional",
  sending: "{percent} % sent",
  storing: "Almost done: the hub stores it.",
  broken: "The connection broke off. Nothing was stored; try again.",
  older: "Older",
  pages: "Pages",
  save: "Save",
  edit: "Edit",
  delete: "Delete",
  "leave-it": "Leave it",
  "leave-as-is": "Leave it as it is",
  "unknown-button": "This button is not known.",
  "keep-it": "Keep it",
  clock: "The time is that of {zone}.",
  "not-a-moment": "This is not a date with a time.",
} as const;
