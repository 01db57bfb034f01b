import { deliveryStates, dropDeliveries, listDeliveries, retryDeliveries } from "../domain/delivery/operate.ts";
import type { Chosen, DeliveryState } from "../domain/delivery/operate.ts";
import { command } from "./command.ts";
import { UsageError } from "./error-message.ts";
import { readIds } from "./numbers.ts";
import { table } from "./table.ts";
import { withHub } from "./with-hub.ts";

const host = { meaning: "those to this host", value: "host" } as const;
const numbers = ["id", "numbers of deliveries"] as const;

export const commands = [
  command({
    name: "deliveries list",
    summary: "show what is to be sent to other hubs (the first 1000)",
    options: { state: { meaning: `${deliveryStates.join(", ")}; waiting unless it is said`, value: "state" }, host },
    run: (call, { state, host }) => {
      const chosen = readState(state ?? "waiting");
      return withHub(call, (hub) => listDeliveries(hub, chosen, host));
    },
    print: (rows) => table(rows, ["id", "deed", "host", "state", "attempts", "next_at", "last_status", "last_error"]),
  }),
  command({
    name: "deliveries retry",
    summary: "send again what failed, was given up or is held; all of it when nothing is named",
    rest: numbers,
    options: { host },
    async run(call, { rest, host }) {
      const chosen = choose(rest, host);
      return { retried: await withHub(call, (hub) => retryDeliveries(hub, chosen)) };
    },
    print: ({ retried }) => `${retried} ${retried === 1 ? "delivery is" : "deliveries are"} tried again.`,
  }),
  command({
    name: "deliveries drop",
    summary: "give up what waits or is held; when nothing is named, all that is held since a restore",
    rest: numbers,
    options: { host },
    async run(call, { rest, host }) {
      const chosen = choose(rest, host);
      return { dropped: await withHub(call, (hub) => dropDeliveries(hub, chosen)) };
    },
    print: ({ dropped }) => `${dropped} ${dropped === 1 ? "delivery is" : "deliveries are"} given up.`,
  }),
];

function choose(rest: readonly string[], host: string | undefined): Chosen {
  const ids = readIds(rest, "delivery");
  return { ...(ids && { ids }), ...(host !== undefined && { host }) };
}

function readState(text: string): DeliveryState {
  const state = deliveryStates.find((state) => state === text);
  if (!state) throw new UsageError(`"${text}" is no state: ${deliveryStates.join(", ")}.`);
  return state;
}
