import { afterAll, beforeAll, expect, test } from "vitest";
import { findChannelByNick } from "../src/domain/identity/channels/find-channel.ts";
import { makePeople, newPlace, openPlace, serve, textsOf } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { killMeanwhile } from "./support/kill-nine.ts";
import { application, written } from "./support/oauth.ts";
import type { Secrets, Written } from "./support/oauth.ts";
import { size } from "./support/size.ts";

/** What an application has signed happens once, whatever kills the process meanwhile (microblog contract 6.3). */

const rounds = size(2, 10);

let place: Place;
let secrets: Secrets;
beforeAll(async () => {
  place = await newPlace();
  await makePeople(place, "anna");
  const hub = await openPlace(place);
  secrets = await application(hub, (await findChannelByNick(hub, "anna"))!);
  await hub.close();
});
afterAll(() => place.remove());

test("after kill -9 no signed request can be sent once more", async () => {
  for (let round = 0; round < rounds; round++) {
    const sent: { request: Written; status: number | undefined }[] = [];
    const posting = () =>
      Promise.all(Array.from({ length: 4 }, (_, poster) => postUntilDead(`${round}.${poster}`, sent)));
    await killMeanwhile(place, posting, () => sent.some(({ status }) => status === 200), 700);
    const next = await serve(place);
    for (const { request, status } of sent) {
      const again = await send(request);
      // Where no answer came, nobody knows whether it was done; here it shows, and never a second time.
      if (status === undefined) expect([200, 401]).toContain(again);
      else expect([status, again]).toEqual([200, 401]);
    }
    await next.stop();
    await everythingOnce(sent.length, `kept ${round}.`);
  }
});

async function postUntilDead(name: string, sent: { request: Written; status: number | undefined }[]): Promise<void> {
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
