/** What the processes of one hub say to each other, by way of the one that watches over them. */
export type Message =
  /** One takes requests now; `answer` is what its command would have printed. */
  | { kind: "ready"; answer: unknown }
  /** One wants to know something of all. */
  | { kind: "ask"; question: number }
  /** All are asked, in the name of the one that wants to know. */
  | { kind: "asked"; question: number; by: number }
  | { kind: "tell"; question: number; by: number; value: unknown }
  | { kind: "told"; question: number; all: readonly Told[] };

/** What one process has answered, by its number. */
export type Told = { part: number; value: unknown };
