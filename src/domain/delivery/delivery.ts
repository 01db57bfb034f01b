import type { Hub } from "../../hub.ts";
import type { Answer } from "./answers.ts";
import type { Leased } from "./worker.ts";

/** A request that is about to be made. */
export type Delivery = Leased & {
  activity: number;
  inbox: string;
  objectId: string;
  isShared: boolean;
  /** Ids of the identities that it reaches. */
  people: number[];
  priority: number;
  created: string;
  lastError: string;
  /** Nothing else is sent to the host until this has been answered. */
  isProbe: boolean;
  /** The channel that signs. */
  sender: number;
  /** The same ones for all inboxes that get the activity. */
  bytes: Buffer<ArrayBuffer>;
  /** The way of signing that the host is known to take; empty when nobody knows. */
  scheme: string;
};

/** What makes the requests, by a protocol of which nothing is known here. */
export type Courier = {
  /** Makes one request. */
  post: (hub: Hub, delivery: Delivery) => Promise<Answer>;
  /** Reads anew where somebody is to be reached, and marks them as gone when they are. */
  meetAgain: (hub: Hub, xchanId: number) => Promise<void>;
};
