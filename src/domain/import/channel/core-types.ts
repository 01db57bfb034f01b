import type { RestoredHubloc, RestoredXchan } from "../../identity/restoring/restore-xchans.ts";
import type { Neighbours } from "../people/neighbours.ts";
import type { ChannelRecord } from "../sources/records.ts";
import type { Report } from "../report.ts";
import type { Head } from "../sources/source.ts";

/** Native contract 7.4. */
export type Mode = "clone" | "primary" | "moving";

export type CoreOptions = { accountId: number; mode: Mode; nick: string };

/** The part of an import that is all or nothing: read and checked, with the slow work done. */
export type Core = {
  head: Head;
  record: ChannelRecord;
  mode: Mode;
  nick: string;
  ed25519: { publicKey: string; privateKey: string };
  urlSignature: string;
  siteKey: string;
  xchans: RestoredXchan[];
  hublocs: RestoredHubloc[];
  escaped: boolean;
  neighbours: Neighbours;
  /** What has been left out so far. */
  report: Report;
};
