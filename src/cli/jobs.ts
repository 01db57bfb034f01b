import { listJobs, retryJobs } from "../jobs/operate.ts";
import { forgetResting } from "../jobs/resting.ts";
import { forgetUnknown } from "../jobs/unknown.ts";
import { command } from "./command.ts";
import { readIds } from "./numbers.ts";
import { table } from "./table.ts";
import { withHub } from "./with-hub.ts";

export const commands = [
  command({
    name: "jobs list",
    summary: "show jobs that wait (the first 1000)",
    options: { dead: { meaning: "those that were given up" } },
    run: (call, { dead }) => withHub(call, (hub) => listJobs(hub, dead === true)),
    print: (jobs) => table(jobs, ["id", "name", "run_at", "attempts", "payload", "last_error"]),
  }),
  command({
    name: "jobs retry",
    summary: "give jobs that were given up another round of attempts; all of them when no number is named",
    rest: ["id", "numbers of jobs"],
    async run(call, { rest }) {
      const ids = readIds(rest, "job");
      return { retried: await withHub(call, (hub) => retryJobs(hub, ids)) };
    },
    print: ({ retried }) => `${retried} ${retried === 1 ? "job is" : "jobs are"} tried again.`,
  }),
  command({
    name: "jobs forget",
    summary:
      "remove jobs that nobody does: of an extension that is not there any more, or of a kind that this version does not know",
    arguments: { name: "name of the extension, or the kind" },
    run: (call, { name }) =>
      withHub(call, async (hub) => ({
        forgotten: (await forgetResting(hub, name)) + (await forgetUnknown(hub, name)),
      })),
    print: ({ forgotten }) => `${forgotten} ${forgotten === 1 ? "job is" : "jobs are"} removed.`,
  }),
];
