import { basic } from "../test/support/client.ts";
import { password } from "./dataset/people.ts";
import type { Server } from "./processes.ts";

/** Posts a status for everybody, as somebody of the data set; throws where it is refused. */
export async function postStatus({ port }: Server, nick: string, status: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/statuses/update.json`, {
    method: "POST",
    headers: { authorization: basic(`${nick}:${password}`) },
    body: new URLSearchParams({ status }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The post was refused with ${response.status}: ${text.slice(0, 300)}`);
}
