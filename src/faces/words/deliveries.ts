import type { Reported } from "../../domain/delivery/report.ts";

/** What became of a delivery, for the person who wrote what was sent. */
export function outcomeWords({ state, reason, status }: Pick<Reported, "state" | "reason" | "status">): string {
  if (reason === "withdrawn") return "Not sent: it was deleted before";
  if (state === "done") return "Delivered";
  if (state === "held") return "Held since this hub was restored from a backup";
  const why = Object.hasOwn(reasons, reason) ? reasons[reason]!(status) : "";
  if (state === "waiting") return why === "" ? "Waiting" : `Waiting to be tried again: ${why}`;
  return state === "given up" ? `Given up: ${why}` : `Refused: ${why}`;
}

const answered = (status: number): string => `the other hub answered with status ${status}`;

/** By the codes of domain/delivery/answers.ts. */
const reasons: Readonly<Record<string, (status: number) => string>> = {
  unreachable: () => "the other hub does not answer",
  unusable: () => "it cannot be sent to this address",
  status: answered,
  refused: () => "the other hub does not take our signature",
  refused_again: () => "the other hub does not take our signature",
  moved: answered,
  gone: () => "those for whom it is are not there any more",
  too_late: () => "the other hub has not taken it for a week",
  host_dead: () => "the other hub has not answered for two weeks",
  dropped: () => "those who run this hub have dropped it",
};
