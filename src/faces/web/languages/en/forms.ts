/** What all forms say. */
export const forms = {
  optional: "optional",
  sending: "{percent} % sent",
  storing: "Almost done: the hub stores it.",
  broken: "The connection broke off. Nothing was stored; try again.",
} as const;
