/** Verbs and object types of native contract 4.1: short name to URI. */

const activity = "http://activitystrea.ms/schema/1.0/";
const zot = "http://purl.org/zot/activity/";

function uris(base: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, base + name]));
}

export const verbs: Record<string, string> = {
  ...uris(activity, "post update share like tag favorite follow create join win lose tie complete"),
  ...uris(zot, "dislike agree disagree abstain attendyes attendno attendmaybe react poke mood"),
  unfollow: `${activity}stop-following`,
  friend: `${activity}make-friend`,
  request: `${activity}request-friend`,
  unfriend: `${activity}remove-friend`,
};

export const objectTypes: Record<string, string> = {
  ...uris(activity, "note comment photo event person activity group game wiki article"),
  ...uris(zot, "tagterm profile thing location file card heart"),
  "profile photo": `${activity}profile-photo`,
  "profile-photo": `${activity}profile-photo`,
  album: `${activity}photo-album`,
  "photo-album": `${activity}photo-album`,
};

/** The URI of a verb given by its short name; anything else stays as it is. */
export function verbUri(verb: string): string {
  return verbs[verb] ?? verb;
}

/** The URI of an object type given by its short name; anything else stays as it is. */
export function objectTypeUri(type: string): string {
  return objectTypes[type] ?? type;
}

/** Reactions that a person gives once, in sets whose members exclude one another (native contract 4.5). */
export const reactionSets: readonly (readonly string[])[] = [
  ["like"],
  ["dislike"],
  ["attendyes", "attendno", "attendmaybe"],
  ["agree", "disagree", "abstain"],
];

export const reactionNames = reactionSets.flat();

const reactionByUri = new Map(reactionNames.map((name) => [verbUri(name), name]));

/** The short name of a reaction verb given by its URI, if it is one. */
export function reactionOf(uri: string): string | undefined {
  return reactionByUri.get(uri);
}

/** How a reaction reads: "X likes a post". */
export const reactionSentences: Record<string, string> = {
  like: "likes",
  dislike: "dislikes",
  agree: "agrees with",
  disagree: "disagrees with",
  abstain: "abstains from a decision on",
  attendyes: "will attend",
  attendno: "will not attend",
  attendmaybe: "may attend",
};

/** Types of terms, native contract 2.10. */
export const termTypes = {
  unknown: 0,
  hashtag: 1,
  mention: 2,
  category: 3,
  privateCategory: 4,
  file: 5,
  bookmark: 8,
  communityTag: 10,
} as const;
