import { checkFiles } from "../../src/domain/files/check-files.ts";
import type { Hub } from "../../src/hub.ts";
import { basic } from "../../test/support/client.ts";
import { textsOf } from "../../test/support/command.ts";
import { password } from "../../test/support/hub.ts";
import { formWith, picture } from "../../test/support/pictures.ts";
import type { Order } from "./load.ts";
import type { Options } from "./options.ts";
import type { Kept } from "./report.ts";
import type { World } from "./world.ts";

/** What people and another server ask of the hub, and what has become of it. */

/** What the hub has said that it has taken. */
export type Acknowledged = Record<"posts" | "pictures" | "inbox", string[]>;

export async function ordersOf(
  { place: { url }, elsewhere }: World,
  rates: Pick<Options, keyof Acknowledged | "reads">,
  acknowledged: Acknowledged,
): Promise<Order[]> {
  const headers = { authorization: basic(`anna:${password}`) };
  const ask = async (path: string, body?: URLSearchParams | FormData): Promise<Response> =>
    whole(await fetch(url + path, { headers, signal: patience(), ...(body && { method: "POST", body }) }));
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
        if (answer.ok) acknowledged.posts.push(text);
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
        if (answer.ok) acknowledged.pictures.push(text);
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
        (answer?.ok ? acknowledged.inbox : unanswered).push(text);
        return answer;
      },
    },
  ];
}

const patience = (): AbortSignal => AbortSignal.timeout(20_000);

/** The answer, once all of it is there. */
async function whole(answer: Response): Promise<Response> {
  await answer.arrayBuffer();
  return answer;
}

function unlessBroken(send: Order["send"]): Order["send"] {
  return (number) => send(number).catch(() => undefined);
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
  const soon = elsewhere.texts().length;
  await finish();
  const { lost } = await checkFiles(hub, { repair: false, tell: () => undefined });
  if (lost.count > 0) throw new Error(`Files are lost: ${lost.first.map(({ blob }) => blob).join(", ")}`);
  return [
    { name: "posts", acknowledged: posts, stored: await stored("post ") },
    { name: "pictures", acknowledged: pictures, stored: await stored("shown ") },
    { name: "inbox", acknowledged: inbox, stored: await stored("came ") },
    {
      name: "posts at a follower's",
      acknowledged: [...posts, ...pictures],
      stored: elsewhere.texts().map(withoutPictures),
      soon,
    },
  ];
}

/** The text as it was sent. */
function withoutPictures(text: string): string {
  return /^\w+ \d+ end/.exec(text)?.[0] ?? text;
}
