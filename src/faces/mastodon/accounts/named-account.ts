import type { Observer } from "../../../domain/identity/channels/observer.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { findPeopleById } from "../../../domain/people/find-people.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";

/** The person with this id that the observer may know of. Throws missing. */
export async function namedAccount(hub: Hub, { channelId }: Observer, id: number): Promise<Xchan> {
  const person = (await findPeopleById(hub, { channel_id: channelId }, [id])).get(id);
  if (!person) throw missing("Identity");
  return person;
}
