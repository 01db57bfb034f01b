import { ByteWriter } from "../../../http/byte-writer.ts";
import { inTurns } from "../../../http/in-turns.ts";
import { JsonBytes } from "../../../http/json-text.ts";
import type { PresentedStatus } from "./present-status.ts";
import type { UserObject } from "../people/present-user.ts";

/** A page of statuses as JSON. Most of such a page are its people, again and again, so each is written once and repeated. */
export async function statusesJson(statuses: readonly PresentedStatus[]): Promise<JsonBytes> {
  const json = new StatusWriter();
  await json.list(statuses);
  return json.written();
}

/** One status as JSON. */
export function statusJson(status: PresentedStatus): JsonBytes {
  const json = new StatusWriter();
  json.status(status);
  return json.written();
}

class StatusWriter {
  readonly #out = new ByteWriter();
  readonly #people = new Map<UserObject, Buffer>();

  written(): JsonBytes {
    return new JsonBytes(this.#out.written());
  }

  async list(statuses: readonly PresentedStatus[]): Promise<void> {
    this.#out.text("[");
    await inTurns(statuses, (status, at) => {
      if (at > 0) this.#out.text(",");
      this.status(status);
    });
    this.#out.text("]");
  }

  status({ fields, people, shared }: PresentedStatus): void {
    this.#out.text(JSON.stringify(fields).slice(0, -1));
    if (people.user) this.#user(',"user":', people.user);
    this.#user(',"svc_author":', people.svc_author);
    this.#user(',"svc_owner":', people.svc_owner);
    this.#activities(',"svc_activities":{', people.svc_activities);
    if (people.friendica_author) this.#user(',"friendica_author":', people.friendica_author);
    if (people.friendica_owner) this.#user(',"friendica_owner":', people.friendica_owner);
    if (people.friendica_activities) this.#activities(',"friendica_activities":{', people.friendica_activities);
    if (shared) {
      this.#out.text(`,"${shared.as}":`);
      this.status(shared.status);
    }
    this.#out.text("}");
  }

  #activities(before: string, lists: object): void {
    let start = before;
    for (const [name, people] of Object.entries(lists as Record<string, UserObject[]>)) {
      start += `"${name}":[`;
      for (const person of people) {
        this.#user(start, person);
        start = ",";
      }
      start = start === "," ? "]," : `${start}],`;
    }
    this.#out.text(`${start.slice(0, -1)}}`);
  }

  #user(before: string, person: UserObject): void {
    this.#out.text(before);
    let bytes = this.#people.get(person);
    if (!bytes) this.#people.set(person, (bytes = Buffer.from(JSON.stringify(person))));
    this.#out.bytes(bytes);
  }
}
