/** The page elements of native contract 2.13: their item_type, and the key under which they keep their name. */
export const pageKinds = {
  block: { itemType: 1, key: "BUILDBLOCK" },
  layout: { itemType: 2, key: "PDL" },
  webpage: { itemType: 3, key: "WEBPAGE" },
} as const;

export type PageKind = keyof typeof pageKinds;

/** Posts with a page of their own: their item_kind, and the key under which they keep their name. */
export const articleKinds = {
  card: { itemKind: 6, key: "CARD" },
  article: { itemKind: 7, key: "ARTICLE" },
} as const;

export type ArticleKind = keyof typeof articleKinds;
