import { followById } from "../../../domain/connections/follow-by-id.ts";
import { missing } from "../../../errors.ts";
import type { Address, Question } from "../address.ts";
import { jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { followOf } from "../present/follow.ts";
import { plainContext } from "./context.ts";
import { uuidIn } from "./said.ts";

/** The follows that channels of this hub have sent, for whoever is followed by them and nobody else (federation contract 3). */
export const followDocuments: readonly Address[] = [{ path: "/follow/:uuid", get: follow }];

async function follow({ hub, params, observer: asObserver }: Question): Promise<Document> {
  const id = `${hub.config.baseUrl}/follow/${uuidIn(params)}`;
  const observer = await asObserver();
  const nick = await followById(hub, observer, id);
  if (nick === undefined) throw missing("Item");
  return jsonDocument({ "@context": plainContext, ...followOf(hub, { nick, follow: id, person: observer.hash }) });
}
