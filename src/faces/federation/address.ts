import type { Hub } from "../../hub.ts";
import type { Beside } from "./accept.ts";
import type { Document } from "./document.ts";
import type { Reader } from "./signer.ts";

/** One request for a document. */
export type Question = Pick<Reader, "anybody" | "known" | "observer" | "signingHost"> & {
  hub: Hub;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Nobody reads here without a signature. */
  forSigners: boolean;
};

/** An address with a document for other hubs. */
export type Address = {
  /** With `:name` in the place of what varies. */
  path: string;
  /** Where a page or a file has the same address, `Accept` decides, and only GET is about the document. */
  beside?: Beside;
  /** Scripts of any site may read it. */
  open?: true;
  /** Anybody may read it, also where the site wants signatures: without it nobody could begin to sign, or to check one. */
  forAll?: true;
  /** Nobody reads it without a signature, whatever the site wants: what is there depends on who asks. */
  signed?: true;
  /** What all may read of it follows from its address, the database and the moment alone (kept-documents.ts). */
  kept?: true;
  /** What all may read of it may be a second old. */
  mayBeStale?: true;
  /** Throws missing for what does not exist, and alike for what the observer may not see. */
  get(question: Question): Promise<Document> | Document;
};
