import type { Reported } from "../../../../domain/delivery/report.ts";
import type { TextKey } from "../../languages/messages.ts";
import type { Say } from "../../languages/say.ts";

/** What became of a delivery, for the person who wrote what was sent. */
export function outcome(say: Say, { state, reason, status }: Pick<Reported, "state" | "reason" | "status">): string {
  if (reason === "withdrawn") return say("items.outcome-withdrawn");
  if (state === "done") return say("items.outcome-done");
  if (state === "held") return say("items.outcome-held");
  const why = Object.hasOwn(reasons, reason) ? say(reasons[reason as keyof typeof reasons], { status }) : "";
  if (state === "waiting") return why === "" ? say("items.outcome-waiting") : say("items.outcome-again", { why });
  return say(state === "given up" ? "items.outcome-given-up" : "items.outcome-refused", { why });
}

/** By the codes of domain/delivery/answers.ts. */
const reasons = {
  unreachable: "items.why-unreachable",
  unusable: "items.why-unusable",
  status: "items.why-status",
  refused: "items.why-signature",
  refused_again: "items.why-signature",
  moved: "items.why-status",
  gone: "items.why-gone",
  too_late: "items.why-too-late",
  host_dead: "items.why-dead",
  dropped: "items.why-dropped",
} as const satisfies Record<string, TextKey>;
