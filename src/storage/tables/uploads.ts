import type { Generated } from "kysely";

/** Media that comes in pieces; `hash` names the file once it is complete. */
export type UploadTable = {
  id: Generated<number>;
  uid: number;
  total_bytes: number;
  media_type: Generated<string>;
  album: Generated<string>;
  alt_text: Generated<string>;
  hash: Generated<string>;
  created: string;
};

/** One piece; unique by (upload_id, position). */
export type UploadPieceTable = {
  id: Generated<number>;
  upload_id: number;
  position: number;
  size: number;
  blob: string;
};
