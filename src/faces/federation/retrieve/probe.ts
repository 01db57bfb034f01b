import { isForeignId, isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { ProbeStep } from "../../../domain/peers/scout.ts";
import type { Fetch } from "../../../fetch/fetch.ts";
import type { Hub } from "../../../hub.ts";
import { isGenuine } from "../authority.ts";
import { readActor } from "../translate/actor.ts";
import type { Actor } from "../translate/actor.ts";
import { keysFor } from "./keys-of.ts";
import { retrieve } from "./retrieve.ts";
import { confirmAddress, readAddress, webFinger } from "./web-finger.ts";

/**
 * Goes through everything that has to work for `nick@host`, or for the address of a person or post, and says what each step
 * came to (federation contract 17). It asks in the name of the site, and stores nothing.
 */
export async function probe(hub: Hub, text: string, signal?: AbortSignal): Promise<ProbeStep[]> {
  const steps: ProbeStep[] = [];
  const asked: Fetch = (url, options) => hub.fetch(url, { ...options, ...(signal && { signal }) });
  const within = (step: ProbeStep["step"]): Hub => ({ ...hub, fetch: recording(asked, step, steps) });
  const say = (step: ProbeStep["step"], result: string): void =>
    void steps.push({ step, url: "", status: 0, type: "", milliseconds: 0, result });
  const address = readAddress(text);
  const id = address === undefined ? text.trim() : await idOf(within("webfinger"), address, say);
  if (id === undefined) return steps;
  const found = await retrieve(within("document"), id, undefined, { byHand: true });
  if ("fault" in found) {
    say("document", isForeignId(id) ? faults[found.fault] : "This is no address of a person or post");
    return steps;
  }
  const actor = readActor(found.node);
  if (!actor) say("document", `It is no actor but ${found.node.types.join(", ") || "something without a type"}`);
  else if (!isGenuine(actor.id, actor.id, found))
    say("actor", `It says that its id is ${actor.id}, which was not asked for`);
  else await probeActor(within, say, actor);
  return steps;
}

type Say = (step: ProbeStep["step"], result: string) => void;

async function idOf(hub: Hub, address: string, say: Say): Promise<string | undefined> {
  const finger = await webFinger(hub, address, { byHand: true }).catch(() => undefined);
  say("webfinger", finger ? `${finger.address} is ${finger.actor}` : "Nothing of use is said about this address");
  return finger?.actor;
}

async function probeActor(within: (step: ProbeStep["step"]) => Hub, say: Say, actor: Actor): Promise<void> {
  say("actor", `${actor.type} ${actor.preferredUsername ?? "without a name"}, ${actor.id}`);
  const keys = await keysFor(within("keys"), actor, { byHand: true });
  say(
    "keys",
    keys.map(({ id, kind }) => `${kind} ${id}`).join(", ") || "No key that names its owner and is named by it",
  );
  const own = actor.webfinger ?? `${actor.preferredUsername ?? ""}@${new URL(actor.id).host}`;
  const confirmed = await confirmAddress(within("address"), own, actor.id, { byHand: true });
  say("address", confirmed ? `${confirmed.address} leads back to it` : `${own} does not lead back to it`);
  const elsewhere = [actor.inbox, actor.sharedInbox ?? actor.inbox].some(
    (inbox) => !isForeignId(inbox) || !isSameId(new URL(inbox).origin, new URL(actor.id).origin),
  );
  say(
    "inbox",
    `${actor.inbox}${actor.sharedInbox === undefined ? "" : `, shared ${actor.sharedInbox}`}${elsewhere ? " (of another origin)" : ""}`,
  );
}

const faults = {
  gone: "It is not there (any more)",
  refused: "The other side does not let this hub look, or this hub does not ask there",
  unavailable: "It cannot be had now",
  unasked: "Too much else was asked for",
  unusable: "What is there is no document that this hub can read",
} as const;

function recording(fetch: Fetch, step: ProbeStep["step"], steps: ProbeStep[]): Fetch {
  return async (url, options) => {
    const started = performance.now();
    const record = (more: Pick<ProbeStep, "status" | "type" | "result">): void =>
      void steps.push({ step, url, milliseconds: Math.round(performance.now() - started), ...more });
    try {
      const answer = await fetch(url, options);
      record({ status: answer.status, type: answer.headers.get("content-type") ?? "", result: "answers" });
      return answer;
    } catch (error) {
      record({ status: 0, type: "", result: reasonOf(error) });
      throw error;
    }
  };
}

/** What a request failed of, down to the name that was not found or the certificate that did not fit. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
