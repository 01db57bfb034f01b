/** Somebody named in a body; `name` is what stands after the sign, without braces or quotes. */
export type FoundMention = {
  start: number;
  end: number;
  name: string;
  form: "address" | "name" | "fullname" | "connection";
  connectionId?: number;
  /** `@nick+` or `!nick`: a forum is asked to deliver the post again. */
  forum: boolean;
  /** `@!name`: the post is for this person or group. */
  private: boolean;
};

export type FoundHashtag = { start: number; end: number; tag: string };

/** A link marked with `#^`. */
export type FoundBookmark = { url: string; title: string };

export type FoundTags = {
  mentions: FoundMention[];
  hashtags: FoundHashtag[];
  bookmarks: FoundBookmark[];
};
