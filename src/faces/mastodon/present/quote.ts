import type { z } from "zod";
import { isPureShare } from "../../../domain/bodies/share.ts";
import { channelSettings } from "../../../domain/identity/channels/channel-settings.ts";
import type { Quoters } from "../../../domain/identity/channels/channel-settings.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import type { Permits } from "../../../domain/items/permits.ts";
import type { StatusDetails } from "../../../domain/items/timelines/status-details.ts";
import { storedJson } from "../../../stored-json.ts";
import type { QuoteApproval, ShallowQuote } from "../entities/status.ts";
import type { Sheet } from "./sheet.ts";

type Shallow = z.infer<typeof ShallowQuote>;

/** Does it add words to what it shares? */
export function isQuote({ shared_id, body }: Pick<ApplicationItem, "shared_id" | "body">): boolean {
  return shared_id > 0 && !isPureShare(body);
}

/** Is what a status quotes shown, and if not, why (mastodon contract 11.8)? Null for what quotes nothing. */
export function quoteState(item: ApplicationItem, details: StatusDetails, isSeen: boolean): Shallow["state"] | null {
  if (!isQuote(item)) return null;
  if (details.shared_there === 0) return "deleted";
  if (details.shared_unwanted === 1) return "blocked_account";
  if (details.shared_unwanted === 2) return "muted_account";
  return isSeen && details.shared_unwanted === 0 ? "accepted" : "unauthorized";
}

/** What a status that is quoted itself quotes. */
export function shallowQuote(sheet: Sheet, item: ApplicationItem, details: StatusDetails): Shallow | null {
  const id = sheet.quotedIds.get(item.shared_id);
  const state = quoteState(item, details, id !== undefined);
  return state && { state, quoted_status_id: state === "accepted" ? String(id) : null };
}

/** Who may quote a status without being asked (mastodon contract 11.8). */
export function quoteApproval(
  { page, me, accounts }: Sheet,
  item: ApplicationItem,
  details: StatusDetails,
): z.infer<typeof QuoteApproval> {
  const who = item.item_private === 0 ? quotersOf(details, accounts.details.get(item.author_id)?.quoters) : "nobody";
  const follows = page.users.get(item.author_id)?.following === true;
  const may =
    item.item_private === 0 && (who === "everybody" || me === item.author_id || (who === "connections" && follows));
  return {
    automatic: who === "everybody" ? ["public"] : who === "connections" ? ["followers"] : [],
    manual: [],
    current_user: may && me !== undefined ? "automatic" : "denied",
  };
}

function quotersOf({ permits, quoters }: StatusDetails, usual: Quoters = "everybody"): Quoters {
  const permitted = permits === undefined ? undefined : storedJson<Permits>(permits).quote;
  if (permitted) return permitted.includes("followers") ? "connections" : "nobody";
  return quoters === undefined ? usual : channelSettings.quoters.read(quoters);
}
