import type { Hub } from "../../hub.ts";
import { now } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { fromSqlDate } from "../../storage/sql.ts";
import { attributeOf, htmlTokens } from "../bodies/html-tokens.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import { recordMarks, saidOf } from "../identity/xchans/actor-details.ts";
import type { ActorField } from "../identity/xchans/foreign-actor.ts";
import { isHere } from "../identity/xchans/web-url.ts";

/** Which addresses in what people of elsewhere say of themselves lead back to them (federation contract 1.2). */

const week = 7 * 24 * 3600_000;

/** Somebody looks at them: a job looks at those pages that were not looked at in a week. */
export async function verifyLater(hub: Hub, actor: string, fields: readonly ActorField[]): Promise<void> {
  if (fields.some((field) => isDue(hub, field)))
    await addJob(hub, "verify-links", { actor }, { key: `verify ${actor}` });
}

function isDue(hub: Hub, field: ActorField): boolean {
  const isOld = field.checked === undefined || fromSqlDate(field.checked).getTime() + week <= hub.clock().getTime();
  return isOld && linkIn(hub, field) !== undefined;
}

/** The page that a field is, if it is one that may be asked for. */
function linkIn(hub: Hub, { value }: ActorField): string | undefined {
  const [link, ...others] = htmlTokens(value).flatMap((token) =>
    token.kind === "open" && token.name === "a" ? [attributeOf(token.attributes, "href")] : [],
  );
  const isPage = link !== undefined && others.length === 0 && /^https:\/\//i.test(link);
  return isPage && !isHere(hub, link) ? link : undefined;
}

/** Looks at them, one after the other; a job. A page that cannot be had now says nothing, and its mark stays. */
export async function verifyLinks(hub: Hub, actor: string): Promise<void> {
  const said = await saidOf(hub, actor);
  if (!said) return;
  const own = [said.actor, said.url];
  const fields: ActorField[] = [];
  for (const field of said.fields) {
    const link = isDue(hub, field) ? linkIn(hub, field) : undefined;
    fields.push(link === undefined ? field : await looked(hub, field, link, own));
  }
  await recordMarks(hub, said, fields);
}

async function looked(hub: Hub, field: ActorField, link: string, own: readonly string[]): Promise<ActorField> {
  const { verified, ...others } = field;
  const checked = now(hub);
  const leads = await leadsBack(hub, link, own);
  if (leads === undefined) return { ...field, checked };
  return leads ? { ...others, checked, verified: verified ?? checked } : { ...others, checked };
}

/** Undefined where the page cannot be had. */
async function leadsBack(hub: Hub, link: string, own: readonly string[]): Promise<boolean | undefined> {
  try {
    const answer = await hub.fetch(link, { purpose: "page", headers: { accept: "text/html" } });
    if (answer.status >= 500) return undefined;
    const isPage =
      answer.status === 200 && /^(text\/html|application\/xhtml)/i.test(answer.headers.get("content-type") ?? "");
    return isPage && linksOfMine(await answer.text(), link).some((one) => own.some((id) => isSame(one, id)));
  } catch (error) {
    hub.log.debug("{link} could not be looked at: {error}", { link, error });
    return undefined;
  }
}

/** Where the links of a page lead that say that it is the same person. */
export function linksOfMine(page: string, base: string): string[] {
  return [...page.matchAll(/<(?:a|link)\s[^<>]{0,4096}>/gi)].flatMap(([tag]) => {
    const isMine = valueOf(tag, "rel").toLowerCase().split(/\s+/).includes("me");
    const href = valueOf(tag, "href");
    return isMine && href !== "" && URL.canParse(href, base) ? [new URL(href, base).href] : [];
  });
}

function valueOf(tag: string, name: string): string {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag) ?? [];
  return (double ?? single ?? bare ?? "").replaceAll("&amp;", "&").trim();
}

function isSame(one: string, other: string): boolean {
  const bare = (url: string): string => comparableId(url).replace(/\/$/, "");
  return URL.canParse(other) && bare(one) === bare(other);
}
