import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { recordOf } from "../../record-of.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import { setConfigs } from "../identity/channels/channel-config.ts";
import { families } from "../identity/channels/channel-settings.ts";
import { noticeTopics } from "./kinds.ts";
import type { NoticeTopic } from "./kinds.ts";

/** Of what channels want to be told, and how. What they have chosen is kept among their settings, so it moves along. */

export const mailWays = ["never", "once", "digest"] as const;

/** How somebody is told: on the page (and by the APIs), by push, by mail at once or once a day. */
export type Ways = { page: boolean; push: boolean; mail: (typeof mailWays)[number] };

export type Choices = Record<NoticeTopic, Ways>;

/** What is usual comes by all ways; a mail tells of what somebody waits for, once a day or at once. */
const mailedUsually: { readonly [T in NoticeTopic]?: Ways["mail"] } = {
  comment: "digest",
  mention: "digest",
  wall: "digest",
  mail: "digest",
  request: "digest",
  held: "digest",
  "sign-up": "once",
  report: "once",
};

export const usualChoices: Choices = recordOf(noticeTopics, (topic) => ({
  page: true,
  push: true,
  mail: mailedUsually[topic] ?? "never",
}));

/** How somebody is told what nobody can do without. */
export const unchosenWays: Ways = { page: true, push: true, mail: "never" };

/** The ways by which no word comes. */
export function isSilent({ page, push, mail }: Ways): boolean {
  return !page && !push && mail === "never";
}

/** All that a channel has chosen, or what is usual. */
export async function readChoices(hub: Hub, uid: number): Promise<Choices> {
  const choice = await choicesOf(hub, [uid]);
  return recordOf(noticeTopics, (topic) => choice(uid, topic));
}

/** The same for any number of channels, in one query. */
export async function choicesOf(hub: Hub, uids: readonly number[]): Promise<(uid: number, topic: NoticeTopic) => Ways> {
  const rows = await compiled(hub, "choices of notices", { uids }, (slots) =>
    hub.db
      .selectFrom("config")
      .select(["uid", "k", "v"])
      .where(isOneOf(hub.engine, sql.ref("uid"), slots.uids))
      .where("cat", "=", sql.lit(families.notices)),
  );
  const chosen = new Map(rows.map(({ uid, k, v }) => [`${uid} ${k}`, waysIn(v)]));
  return (uid, topic) => chosen.get(`${uid} ${topic}`) ?? usualChoices[topic];
}

/** Changes what a channel has chosen; topics that are not named stay as they are. */
export async function choose(hub: Hub, uid: number, choices: Partial<Choices>): Promise<void> {
  const named = noticeTopics.flatMap((topic) => {
    const ways = choices[topic];
    return ways ? [[topic, textOf(ways)] as const] : [];
  });
  if (named.length > 0) await setConfigs(hub, uid, families.notices, Object.fromEntries(named));
}

function textOf({ page, push, mail }: Ways): string {
  return [page && "page", push && "push", mail !== "never" && mail].filter((word) => word !== false).join(" ");
}

/** Imports and clients may have written anything there; words that mean nothing say nothing. */
function waysIn(text: string): Ways {
  const words = text.split(" ");
  return {
    page: words.includes("page"),
    push: words.includes("push"),
    mail: mailWays.find((way) => way !== "never" && words.includes(way)) ?? "never",
  };
}
