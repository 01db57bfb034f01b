import type { Hub } from "../../src/hub.ts";
import { blobNames } from "../../src/storage/blobs/names.ts";
import { textsOf } from "../../test/support/command.ts";
import { formWith, picture } from "../../test/support/pictures.ts";
import { askAs } from "./ask.ts";
import type { Order } from "./load.ts";
import type { Options } from "./options.ts";
import type { Kept } from "./report.ts";
import type { Awaited } from "./waiting.ts";
import type { Watch } from "./watch.ts";
import type { World } from "./world.ts";

/** What people and another server ask of the hub, and what has become of it. */

/** The texts of which the hub has said that it has taken them, and when (milliseconds). */
export type Acknowledged = Record<"posts" | "pictures" | "inbox", Map<string, number>>;

export async function ordersOf(
  { place: { url }, elsewhere }: World,
  rates: Pick<Options, keyof Acknowledged | "reads">,
  acknowledged: Acknowledged,
): Promise<Order[]> {
  const ask = async (path: string, body?: URLSearchParams | FormData): Promise<Response> =>
    whole(await askAs("anna", url + path, body));
  const jpeg = await picture(32, 24).jpeg().toBuffer();
  /** A server sends again what was not taken. */
  const unanswered: string[] = [];
  return [
    {
      name: "posts",
      rate: rates.posts,
      send: unlessBroken(async (number) => {
        const text = `post ${number} end`;
        const answer = await ask("/api/statuses/update.json", new URLSearchParams({ status: text }));
        if (answer.ok) acknowledged.posts.set(text, performance.now());
        return answer;
      }),
    },
    {
      name: "pictures",
      rate: rates.pictures,
      send: unlessBroken(async (number) => {
        const text = `shown ${number} end`;
        // Each has other bytes.
        const bytes = Buffer.concat([jpeg, Buffer.from(text)]);
        const form = formWith({ status: text }, [["media", bytes, `${number}.jpg`, "image/jpeg"]]);
        const answer = await ask("/api/statuses/update.json", form);
        if (answer.ok) acknowledged.pictures.set(text, performance.now());
        return answer;
      }),
    },
    { name: "reads", rate: rates.reads, send: unlessBroken(() => ask("/api/statuses/home_timeline.json")) },
    {
      name: "inbox",
      rate: rates.inbox,
      async send(number) {
        const text = unanswered.shift() ?? `came ${number} end`;
        const answer = await unlessBroken(async () => whole(await elsewhere.post(url, text)))(number);
        if (answer?.ok) acknowledged.inbox.set(text, performance.now());
        else unanswered.push(text);
        return answer;
      },
    },
  ];
}

/** The answer, once all of it is there. */
async function whole(answer: Response): Promise<Response> {
  await answer.arrayBuffer();
  return answer;
}

function unlessBroken(send: Order["send"]): Order["send"] {
  return (number) => send(number).catch(() => undefined);
}

/** What comes of that behind the requests: posts come to a follower, and what was sent to the inbox is in the home of whom it is for. */
export function awaitedOf({ elsewhere }: World, { seen }: Watch, acknowledged: Acknowledged): Awaited[] {
  const { posts, pictures, inbox } = acknowledged;
  // The last time comes first, so that the first one stays.
  const came = new Map(
    elsewhere
      .texts()
      .toReversed()
      .map(({ text, at }) => [withoutPictures(text), at]),
  );
  const waitFor = (name: string, texts: Map<string, number>, there: ReadonlyMap<string, number>): Awaited[] =>
    [...texts].map(([text, acknowledged]) => ({ name, acknowledged, there: there.get(text) }));
  return [
    ...waitFor("posts at a follower's", posts, came),
    ...waitFor("pictures at a follower's", pictures, came),
    ...waitFor("inbox at home", inbox, seen),
  ];
}

/** What is there of that, once everything that waits is done: that is what `finish` does. */
export async function keptOf(
  hub: Hub,
  { elsewhere }: World,
  acknowledged: Acknowledged,
  finish: () => Promise<void>,
): Promise<Kept[]> {
  const { posts, pictures, inbox } = acknowledged;
  const stored = async (beginning: string): Promise<string[]> =>
    (await textsOf(hub, "anna", beginning)).map(withoutPictures);
  await finish();
  return [
    { name: "posts", acknowledged: [...posts.keys()], stored: await stored("post ") },
    { name: "pictures", acknowledged: [...pictures.keys()], stored: await stored("shown ") },
    { name: "inbox", acknowledged: [...inbox.keys()], stored: await stored("came ") },
    {
      name: "posts at a follower's",
      acknowledged: [...posts.keys(), ...pictures.keys()],
      stored: elsewhere.texts().map(({ text }) => withoutPictures(text)),
    },
    {
      name: "files",
      acknowledged: await Array.fromAsync(blobNames(hub.db)),
      stored: await Array.fromAsync(hub.blobs.kept(), ({ name }) => name),
    },
  ];
}

/** The text as it was sent. */
function withoutPictures(text: string): string {
  return /^\w+ \d+ end/.exec(text)?.[0] ?? text;
}
