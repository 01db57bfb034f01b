import { parseAccept } from "hono/utils/accept";
import type { HubOfCaches } from "../../../caches.ts";
import { languagesOf } from "./languages.ts";
import type { Language } from "./languages.ts";

/** The first of these that the hub speaks: what the account says, then what the browser likes best, else English. */
export function chooseLanguage(hub: HubOfCaches, account: string, accepted: string): Language {
  const languages = languagesOf(hub);
  const liked = parseAccept(accepted).filter(({ q }) => q > 0);
  for (const tag of [account, ...liked.map(({ type }) => type)]) {
    const found = languages.get(tag.toLowerCase()) ?? languages.get(tag.toLowerCase().split("-")[0]!);
    if (found) return found;
  }
  return languages.get("en")!;
}
