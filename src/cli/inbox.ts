import { listArrivals, retryArrivals } from "../domain/delivery/operate.ts";
import { command } from "./command.ts";
import { readIds } from "./numbers.ts";
import { table } from "./table.ts";
import { withHub } from "./with-hub.ts";

export const commands = [
  command({
    name: "inbox list",
    summary: "show what came from other hubs and has not taken effect (the first 1000)",
    options: { failed: { meaning: "those that were given up" } },
    run: (call, { failed }) => withHub(call, (hub) => listArrivals(hub, failed === true ? "failed" : "waiting")),
    print: (rows) => table(rows, ["id", "activity_id", "signer", "received", "attempts", "next_at", "last_error"]),
  }),
  command({
    name: "inbox retry",
    summary: "try again what was given up; all of it when no number is named",
    rest: ["id", "numbers of activities"],
    async run(call, { rest }) {
      const ids = readIds(rest, "activity that came in");
      return { retried: await withHub(call, (hub) => retryArrivals(hub, ids)) };
    },
    print: ({ retried }) => `${retried} ${retried === 1 ? "activity is" : "activities are"} tried again.`,
  }),
];
