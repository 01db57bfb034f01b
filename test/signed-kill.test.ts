import { afterAll, beforeAll, expect, test } from "vitest";
import { findChannelByNick } from "../src/domain/identity/channels/find-channel.ts";
import { makePeople, newPlace, openPlace, serve, textsOf } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { killMeanwhile } from "./support/kill-nine.ts";
import { bearerFor } from "./support/mastodon.ts";
import { application, written } from "./support/oauth.ts";
import type { Secrets, Written } from "./support/oauth.ts";
import { size } from "./support/size.ts";

/**
 * What an application has signed happens once, and what it sends with a key, whatever kills the process meanwhile (microblog contract 6.3,
 * Mastodon contract 3.4).
 */

const rounds = size(2, 10);

type Sent = { request: Written; status: number | undefined };
type Keyed = { key: string; id: string | undefined };

let place: Place;
let secrets: Secrets;
let bearer: string;
beforeAll(async () => {
  place = await newPlace();
  await makePeople(place, "anna");
  const hub = await openPlace(place);
  const anna = (await findChannelByNick(hub, "anna"))!;
  secrets = await application(hub, anna);
  bearer = await bearerFor({ hub }, anna);
  await hub.close();
});
afterAll(() => place.remove());

test("after kill -9 no signed request can be sent once more, and a key still stands for the post that it has made", async () => {
  for (let round = 0; round < rounds; round++) {
    const sent: Sent[] = [];
    const keyed: Keyed[] = [];
    const posting = () =>
      Promise.all([0, 1].flatMap((n) => [postUntilDead(`${round}.${n}`, sent), keyUntilDead(`${round}.${n}`, keyed)]));
    const hasBegun = (): boolean =>
      sent.some(({ status }) => status === 200) && keyed.some(({ id }) => id !== undefined);
    await killMeanwhile(place, posting, hasBegun, 700);
    const next = await serve(place);
    for (const { request, status } of sent) {
      const again = await send(request);
      // Where no answer came, nobody knows whether it was done; here it shows, and never a second time.
      if (status === undefined) expect([200, 401]).toContain(again);
      else expect([status, again]).toEqual([200, 401]);
    }
    for (const { key, id } of keyed)
      expect([key, await postWithKey(key)]).toEqual([key, id ?? expect.stringMatching(/^\d+$/)]);
    await next.stop();
    await everythingOnce(sent.length, `kept ${round}.`);
    await everythingOnce(keyed.length, `keyed ${round}.`);
  }
});

async function postUntilDead(name: string, sent: Sent[]): Promise<void> {
  for (let number = 0; ; number++) {
    const form = { status: `kept ${name}.${number} end` };
    const order = { method: "POST", path: "/api/statuses/update.json", form, origin: place.url };
    const request = written({ clock: () => new Date() }, secrets, order);
    const status = await send(request);
    sent.push({ request, status });
    if (status === undefined) return;
  }
}

/** The status of the answer; undefined when none came. */
async function send({ method, target, headers, body }: Written): Promise<number | undefined> {
  try {
    const response = await fetch(place.url + target, { method, headers, body: body ?? null });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

async function everythingOnce(count: number, beginning: string): Promise<void> {
  const hub = await openPlace(place);
  const texts = await textsOf(hub, "anna", beginning);
  await hub.close();
  expect([texts.length, new Set(texts).size]).toEqual([count, count]);
}

async function keyUntilDead(name: string, sent: Keyed[]): Promise<void> {
  for (let number = 0; ; number++) {
    const key = `keyed ${name}.${number} end`;
    const id = await postWithKey(key);
    sent.push({ key, id });
    if (id === undefined) return;
  }
}

/** The id of the post; undefined when no answer came. */
async function postWithKey(key: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${place.url}/api/v1/statuses`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, "idempotency-key": key, "content-type": "application/json" },
      body: JSON.stringify({ status: key }),
    });
    const { id, error } = (await response.json()) as { id?: string; error?: string };
    return id ?? error;
  } catch {
    return undefined;
  }
}
