import { z } from "zod";
import { pageOfPeople } from "../../../domain/connections/connections.ts";
import type { KeyWindow } from "../../../domain/connections/connections.ts";
import { findChannelByXchan } from "../../../domain/identity/channels/channels.ts";
import { findPeopleById } from "../../../domain/people/find-people.ts";
import { findByNick } from "../../../domain/people/find-person.ts";
import { listVisibleConnections, showsConnections } from "../../../domain/people/visible-connections.ts";
import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import { id, ids, requiredText } from "../parameters.ts";
import { edgesOf, pageInput, windowOf } from "../paging.ts";
import { seeing } from "../seeing.ts";
import { manyAccounts, oneAccount, showAccounts } from "./account-answers.ts";
import { namedAccount } from "./named-account.ts";

const accountId = id("Id of the person.");
const most = 40;

/** Mastodon contract 12.4: reading. */
export const accountRows = [
  endpoint({
    path: "v1/accounts/lookup",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "Somebody by the nick or the whole address, among those whom the hub knows.",
    example: { acct: "ann" },
    input: z.object({ acct: requiredText("`nick` of this hub, or `nick@host`.") }),
    async handle(hub, caller, { acct }) {
      const anybody = await seeing(hub, caller);
      const person = await findByNick(hub, anybody.observer, acct.trim());
      const known = person && (await namedAccount(hub, anybody.observer, person.xchan_id));
      if (!known) throw missing("Identity");
      return showAccounts(hub, anybody, [known.xchan_id]);
    },
    ...oneAccount,
  }),
  endpoint({
    path: "v1/accounts",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "Several people; those who are not there are left out.",
    example: { id: "17" },
    input: z.object({ id: ids("Ids of the people, at most 40.", most) }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const known = await findPeopleById(hub, { channel_id: anybody.observer.channelId }, input.id);
      return showAccounts(
        hub,
        anybody,
        input.id.filter((one) => known.has(one)),
      );
    },
    ...manyAccounts,
  }),
  endpoint({
    path: "v1/accounts/:id",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "One person.",
    example: { id: "17" },
    input: z.object({ id: accountId }),
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const { xchan_id } = await namedAccount(hub, anybody.observer, input.id);
      return showAccounts(hub, anybody, [xchan_id]);
    },
    ...oneAccount,
  }),
  connectionsRow("followers", "Who receives what somebody posts, where the caller may know."),
  connectionsRow("following", "Whose posts somebody receives, where the caller may know."),
];

/** Of others nobody learns which way their connections go, so both rows answer those that they show. */
function connectionsRow(name: "followers" | "following", summary: string): Endpoint {
  return endpoint({
    path: `v1/accounts/:id/${name}`,
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary,
    example: { id: "17" },
    input: z.object({ id: accountId, ...pageInput(40) }),
    async handle(hub, caller, { id: personId, ...page }) {
      const anybody = await seeing(hub, caller);
      const person = await namedAccount(hub, anybody.observer, personId);
      if (caller && person.xchan_id === caller.channel.xchan_id) {
        const list = name === "followers" ? "followers" : "friends";
        const { keys, next } = await pageOfPeople(hub, caller.channel.channel_id, list, windowOf(page));
        return showAccounts(hub, anybody, keys, edgesOf(keys, next > 0));
      }
      return shownConnections(hub, anybody, person.xchan_id, windowOf(page));
    },
    ...manyAccounts,
  });
}

async function shownConnections(hub: Hub, anybody: Anybody, xchanId: number, window: KeyWindow) {
  const channel = await findChannelByXchan(hub, xchanId);
  if (!channel || !(await showsConnections(hub, anybody.observer, channel))) return showAccounts(hub, anybody, []);
  const { connections, next } = await listVisibleConnections(hub, anybody.observer, channel, {
    count: window.count,
    before: window.after,
    since: window.before ?? window.sinceId,
    upwards: window.before !== undefined,
  });
  const keys = connections.map(({ abook_id }) => abook_id);
  const people = connections.map(({ xchan_id }) => xchan_id);
  return showAccounts(hub, anybody, people, edgesOf(keys, next !== undefined));
}
