import type { Quoters } from "../../../domain/identity/channels/channel-settings.ts";
import type { Hub } from "../../../hub.ts";
import type { Item } from "../../../domain/items/types.ts";
import { firstOfOthers, mimetypes, mostMedia } from "../offered.ts";
import { within } from "../../../http/nested.ts";
import { asText, lastOf } from "../../../http/values.ts";
import { isRecord } from "../../../record-of.ts";
import { invalid, readId } from "../parameters.ts";
import { quotePolicies } from "../present/own-account.ts";

/** What posting and editing read alike (mastodon contract 13.3). */

/** Media ids as they were sent, each once; those of pictures in the words of this post are no files. Throws invalid. */
export function mediaIdsIn(ids: readonly string[], of?: Pick<Item, "message_id">): number[] {
  const known = [...new Set(ids)];
  if (known.length > mostMedia) throw invalid(`A post has at most ${mostMedia} files`);
  const first = of ? firstOfOthers + mostMedia * of.message_id : Number.NaN;
  return known.map((one) => readId(one) ?? 0).filter((id) => !(id >= first && id < first + mostMedia));
}

/** A text and its warning count together (mastodon contract 13.3). Throws invalid. */
export function checkLength({ config }: Hub, text = "", warning = ""): void {
  const most = config.limits.body;
  if ([...text].length + [...warning].length > most) throw invalid(`Text character limit of ${most} exceeded`);
}

/** The format of a text. Throws invalid. */
export function formatIn(asked = ""): string {
  if (asked === "") return "text/bbcode";
  if (!mimetypes.includes(asked)) throw invalid("Content type is not included in the list");
  return asked;
}

/** Who may quote, by the word of this API; undefined where nothing was said. Throws invalid. */
export function quotersIn(policy: string | undefined, name: string): Quoters | undefined {
  if (!policy) return undefined;
  const found = Object.entries(quotePolicies).find(([, word]) => word === policy)?.[0];
  if (!found) throw invalid(`${name} is not included in the list`);
  return found as Quoters;
}

/** The title of a post, which programs for Friendica put into an object of theirs; undefined where nothing was said. */
export function titleIn({ title, friendica }: TitleInput): string | undefined {
  const object = friendica?.findLast(isRecord);
  return title ?? (object && asText(lastOf(within(object, "title"))));
}

type TitleInput = { title: string | undefined; friendica: readonly unknown[] | undefined };

/** The code of a language, without its region; undefined for none. Throws invalid for what is no code. */
export function languageIn(asked = ""): string | undefined {
  if (asked === "") return undefined;
  const [, code] = /^([a-z]{2,3})(?:[-_][a-z0-9]{1,8}){0,3}$/i.exec(asked) ?? [];
  if (code === undefined || !isLanguage(code.toLowerCase())) throw invalid("Language is not included in the list");
  return code.toLowerCase();
}

const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

function isLanguage(code: string): boolean {
  return names.of(code) !== undefined;
}
