/** A rendition whose bytes are kept already. */
export type Rendition = {
  imgscale: number;
  mimetype: string;
  width: number;
  height: number;
  filesize: number;
  blob: string;
  sha256: string;
  /** Empty where nobody needs it. */
  blurhash: string;
};

/** An image whose renditions are kept, before there are rows about it. */
export type PreparedPhoto = {
  mimetype: string;
  /** The scales that every image has; the bytes of the first, the original, are the file's. */
  renditions: Rendition[];
  /** Those for the uses that were asked for. */
  used: Rendition[];
  /** Where it was taken, `latitude longitude`; empty when unknown. It goes to the item only if the channel wants that. */
  coord: string;
};

/** What photo_usage says. */
export const usages = { normal: 0, profile: 1, connection: 2, cover: 16 } as const;
