import { probe } from "../faces/federation/retrieve/probe.ts";
import { command } from "./command.ts";
import { table } from "./table.ts";
import { withHub } from "./with-hub.ts";

export const commands = [
  command({
    name: "probe",
    summary: "go through what has to work to reach somebody or something elsewhere, step by step",
    arguments: { address: "such as name@example.org, or the address of a person or post" },
    run: (call, { address }) => withHub(call, (hub) => probe(hub, address)),
    print: (steps) => table(steps, ["step", "status", "milliseconds", "type", "url", "result"]),
  }),
];
