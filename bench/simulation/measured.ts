import measured from "./measured.json" with { type: "json" };

/** Kinds of requests. */
export const kinds = ["verify", "poll", "home", "conversation", "page", "post", "inbox"] as const;
export type Kind = (typeof kinds)[number];

/** Milliseconds of processor that something takes of the hub and of PostgreSQL. */
export type Cost = { hub: number; database: number };

/** The same, and how often PostgreSQL is asked, `begin` and `commit` among it. */
export type Work = Cost & { statements: number };

/** What one request takes. */
export type RequestCost = Work & {
  /** Of the processor of whoever sends it, in milliseconds. */ sender: number;
  /** Of the answer. */ bytes: number;
  /** What has to be done when it has been answered. */ behind: Work;
};

/** What was seen when so many connections each sent their next request when the last one had been answered. */
export type Point = {
  processes: number;
  connections: number;
  /** What was sent: one kind, or the mix. */ sent: Kind | "mix";
  perSecond: number;
  /** Milliseconds. */ p50: number;
  p99: number;
  /** Cores that other programs had meanwhile. */ others: number;
};

/** What was measured; `mixed` is how many times as much the requests of the mix take as the same do each kind by itself. */
export const { costs, mixed, points } = measured as {
  costs: Record<Kind, RequestCost>;
  mixed: Cost;
  points: Point[];
};

/** How many of each kind come for each other: what issue 14 wants to be held, the reads being those of people at applications and pages. */
export const mix: Record<Kind, number> = {
  verify: 10,
  poll: 40,
  home: 25,
  conversation: 15,
  page: 10,
  post: 10,
  inbox: 50,
};
