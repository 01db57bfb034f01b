import type { Readable } from "node:stream";

/** What a request to another server is for; time and size follow from that (limits.ts). */
export type Purpose = "document" | "page" | "media" | "delivery" | "import" | "archive";

/** What is sent as it comes: opened anew for each attempt, with its length among the headers. */
type Stream = () => Readable | Promise<Readable>;

/** A request that is about to go out, as whoever signs it sees it. */
export type Outgoing = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array;
  stream?: Stream;
};

export type FetchOptions = {
  /** GET unless it is said. */
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  stream?: Stream;
  /** A document unless it is said. */
  purpose?: Purpose;
  /** What the signature adds to the headers. It is asked for each hop of a redirect, which has an address of its own. */
  sign?: (request: Outgoing) => Promise<Record<string, string>>;
  /** Who signs: what is asked for in the same name at the same time is asked for once. */
  inNameOf?: string;
  /** Somebody asks for it by hand: it is tried although it failed a short while ago, once a minute. */
  byHand?: boolean;
  /** Ends the request, also while the answer is read. */
  signal?: AbortSignal;
  /** Host names, addresses and networks that are asked although they are private: what the operator says, nobody else. */
  within?: readonly string[];
};

/**
 * Asks another server, never an address of a private network (federation contract 10). The answer has the address at which it
 * was found (`url`). Throws RefusedAddress, UnusableAnswer, and any other error where nobody answers.
 */
export type Fetch = (url: string, options?: FetchOptions) => Promise<Response>;

/** Why a request was not even tried; trying again is of no use. */
export class RefusedAddress extends Error {}

/** Enough has been asked for because of the same thing: for good, or for now. */
export class BudgetSpent extends RefusedAddress {}
export class AskedTooFast extends Error {}

/** It is this one's turn at that moment (in milliseconds); until then whoever has it in hand does something else. */
export class NotYet extends Error {
  readonly until: number;

  constructor(until: number) {
    super("It is not its turn yet");
    this.until = until;
  }
}

/** There was an answer, but one that is too large or cannot be unpacked. */
export class UnusableAnswer extends Error {}
