import type { Generated } from "kysely";

/** What somebody has typed and not sent: `fields` are those of its form (JSON), `name` is the browser's; unique by (uid, name). */
export type SketchTable = {
  id: Generated<number>;
  uid: number;
  name: string;
  place: string;
  fields: string;
  created: string;
  changed: string;
};

/** Names of sketches that were posted; unique by (uid, name). */
export type PostedSketchTable = {
  uid: number;
  name: string;
  posted: string;
};

/** Files that were uploaded for a post and that no post has used yet; unique by (uid, hash). */
export type UnattachedTable = {
  id: Generated<number>;
  uid: number;
  hash: string;
  kept_until: string;
};
