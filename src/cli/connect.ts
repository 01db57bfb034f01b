import { connect } from "../domain/connections/connect.ts";
import type { Channel } from "../domain/identity/channels/channel.ts";
import { inTransaction } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { command } from "./command.ts";
import { localChannel } from "./local-channel.ts";
import { CommandError } from "./error-message.ts";
import { withHub } from "./with-hub.ts";

export const commands = [
  command({
    name: "connect",
    summary: "connect two channels of this hub, both ways and approved",
    arguments: { a: "nick of one channel", b: "nick of the other" },
    run: (call, { a, b }) => withHub(call, (hub) => connectBoth(hub, a, b)),
    print: () => "They are connected.",
  }),
];

/** Each asks for the other, and the second one to ask approves the first. */
async function connectBoth(hub: Hub, a: string, b: string): Promise<{ connected: true }> {
  const [one, other] = [await localChannel(hub, a), await localChannel(hub, b)];
  await inTransaction(hub, async (hub) => {
    await ask(hub, one, other);
    await ask(hub, other, one);
    // Asking again answers how both rows are by now.
    await ask(hub, one, other, true);
  });
  return { connected: true };
}

async function ask(hub: Hub, from: Channel, to: Channel, settled = false): Promise<void> {
  const row = await connect(hub, from, { xchan_hash: to.channel_hash });
  const connected = row.follow_out === "accepted" && row.follow_in === "accepted" && row.abook_pending === 0;
  if (settled && !connected) {
    throw new CommandError(
      `${to.channel_address} has blocked ${from.channel_address}; the owner has to undo that first.`,
    );
  }
}
