/** What rendering needs to know of this site: its base URL without a final slash, and its name. */
export type Site = { baseUrl: string; name: string };
