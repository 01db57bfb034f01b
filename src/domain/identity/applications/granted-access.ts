import type { Hub } from "../../../hub.ts";
import { endBearer, listBearers } from "./oauth2-tokens.ts";
import { listTokens, revokeToken } from "./oauth-tokens.ts";

/** What applications have that act as a channel, whatever they speak. */

/** An application as somebody sees it who has let it in: as which channel it acts, and `used`, the day of its last use. */
export type GrantedAccess = {
  /** Names it for `endAccessOf`. */
  id: string;
  name: string;
  icon: string;
  channel: string;
  created: string;
  used: string;
  /** What it may do; undefined for everything that applications may. */
  scopes: readonly string[] | undefined;
};

const bearer = "bearer-";

/** The applications that act as the channels of this account, the newest first. */
export async function listGrantedAccess(hub: Hub, accountId: number): Promise<GrantedAccess[]> {
  const [tokens, bearers] = await Promise.all([listTokens(hub, accountId), listBearers(hub, accountId)]);
  const all: GrantedAccess[] = [
    ...bearers.map((one) => ({ ...one, id: bearer + String(one.id), icon: "" })),
    ...tokens.map(({ token, key: _key, ...one }) => ({ ...one, id: token, scopes: undefined })),
  ];
  return all.toSorted((one, other) => (one.created < other.created ? 1 : one.created > other.created ? -1 : 0));
}

/** Ends one of them. Throws missing for those of other accounts. */
export async function endAccessOf(hub: Hub, accountId: number, id: string): Promise<void> {
  if (!id.startsWith(bearer)) return revokeToken(hub, accountId, id);
  await endBearer(hub, accountId, Number(id.slice(bearer.length)) || 0);
}
