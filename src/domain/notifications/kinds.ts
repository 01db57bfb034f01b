const activity = "http://activitystrea.ms/schema/1.0/";

/** What a notice is about leads somewhere else: an item, a direct message, or a connection. */
export type NoticeTarget = "item" | "mail" | "intro";

/** What people choose by: of what they are told, and how. */
export const noticeTopics = [
  "comment",
  "mention",
  "wall",
  "post",
  "reaction",
  "share",
  "tag",
  "mail",
  "request",
  "connection",
  "held",
  "edit",
  "poll",
  "sign-up",
  "report",
] as const;

export type NoticeTopic = (typeof noticeTopics)[number];

/** Of these those are told who administer the hub. */
export const administratorTopics: readonly NoticeTopic[] = ["sign-up", "report"];

type Kind = {
  /** The bit of native contract 2.16. */
  type: number;
  /** Without one nobody chooses: it comes on the page. */
  topic?: NoticeTopic;
  about: NoticeTarget;
  /** It answers what the reader did, or is about what is theirs: the policy (policy.ts) has no say in it. */
  unfiltered?: true;
  /** The activity, where it is always the same; else it is that of the deed. */
  verb?: string;
};

/** All that the hub tells people, and nothing else. The words belong to those who show them (decision 40). */
export const noticeKinds = {
  request: { type: 1, topic: "request", about: "intro", verb: `${activity}make-friend` },
  follower: { type: 1, topic: "connection", about: "intro", verb: `${activity}make-friend` },
  confirmed: { type: 2, topic: "connection", about: "intro", verb: `${activity}make-friend`, unfiltered: true },
  declined: { type: 2, topic: "connection", about: "intro", verb: `${activity}make-friend`, unfiltered: true },
  wall: { type: 4, topic: "wall", about: "item" },
  /** Somebody posts of whom the channel wants to be told that (connections/follow-choices.ts). */
  post: { type: 8, topic: "post", about: "item" },
  comment: { type: 8, topic: "comment", about: "item" },
  /** Comments that wait to be let in, all under one notice. */
  held: { type: 8, topic: "held", about: "item", unfiltered: true },
  mail: { type: 16, topic: "mail", about: "mail", verb: `${activity}post` },
  mention: { type: 128, topic: "mention", about: "item" },
  tag: { type: 256, topic: "tag", about: "item", verb: `${activity}tag` },
  reaction: { type: 1024, topic: "reaction", about: "item" },
  share: { type: 1024, topic: "share", about: "item", verb: `${activity}share` },
  /** What the reader has answered or shared has another text. */
  edit: { type: 32_768, topic: "edit", about: "item", verb: `${activity}update`, unfiltered: true },
  /** A poll in which the reader has voted, or which is theirs, has ended. */
  poll: { type: 32_768, topic: "poll", about: "item", verb: `${activity}complete`, unfiltered: true },
  /** A stranger has written to a channel that is asked first. */
  stranger: { type: 1, topic: "request", about: "intro", verb: `${activity}post`, unfiltered: true },
  /** Somebody waits to be let in to the hub. */
  "sign-up": { type: 32_768, topic: "sign-up", about: "intro", verb: `${activity}join`, unfiltered: true },
  /** Somebody complains about somebody; nobody is named where another hub passes it on. */
  report: { type: 32_768, topic: "report", about: "intro", verb: `${activity}flag-as-inappropriate`, unfiltered: true },
  /** A webhook of the channel has failed too often; nobody is named. */
  "webhook-off": { type: 32_768, about: "intro", verb: `${activity}post`, unfiltered: true },
  /** Those who run the hub have said something about the account; nobody is named. */
  warned: { type: 32_768, about: "intro", verb: `${activity}post`, unfiltered: true },
} as const satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof noticeKinds;

/** Is this the name of a kind? */
export function isNoticeKind(name: string): name is NoticeKind {
  return Object.hasOwn(noticeKinds, name);
}

/** What a kind is; `verb` is there where every deed of the kind has the same. */
export function kindOf(name: NoticeKind): Kind {
  return noticeKinds[name];
}

/** Is it told whatever the policy of its reader says? */
export function isUnfiltered(name: NoticeKind): boolean {
  return kindOf(name).unfiltered === true;
}
