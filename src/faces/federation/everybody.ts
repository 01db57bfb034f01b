/** Whom a document is addressed to that everybody may see, in the spelling that all understand. */
export const everybody = "https://www.w3.org/ns/activitystreams#Public";
