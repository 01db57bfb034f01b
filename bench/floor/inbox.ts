import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { FloorDatabase } from "./read.ts";
import { checkSignature } from "./signature.ts";

/** Keeps an activity that is signed by this key: one verification, one JSON.parse and one insert. Throws where it does not fit. */
export async function keepActivity({ run }: FloorDatabase, pem: string, request: IncomingMessage): Promise<object> {
  const bytes = await buffer(request);
  checkSignature(request, pem);
  const text = bytes.toString();
  const { id, actor, object } = JSON.parse(text) as { id: string; actor: string; object: { id: string } };
  const moment = new Date().toISOString().slice(0, 19).replace("T", " ");
  await run(
    `insert into inbox_activity (activity_id, object_id, thread_id, signer, host, scheme, bytes, state, received, next_at)
      values ($1, $2, '', $3, $4, 'cavage', $5, 'waiting', $6, $6)`,
    id,
    object.id,
    actor,
    new URL(actor).host,
    text,
    moment,
  );
  return {};
}
