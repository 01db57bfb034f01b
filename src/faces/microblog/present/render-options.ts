import type { Viewer } from "../../../domain/bodies/personalise.ts";

/** How this caller wants to see statuses, as far as the answer differs between callers. */
export type RenderOptions = {
  /** The channel whose own copies these may be, 0 for none: only there do private marks such as stars mean the caller's. */
  uid: number;
  /** Send the fields under their `friendica_` names too. */
  aliases: boolean;
  entities: boolean;
  viewer: Viewer;
  /** The client shows attachments itself, so their images are left out of the texts (microblog contract 7.2, rule 7). */
  imagesApart: boolean;
};
