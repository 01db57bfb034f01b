import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { BlobsAway } from "../../errors.ts";
import type { Answered, Patience } from "./send.ts";

/** What an S3 server answers. Its body must be read or dropped. */
export type S3Answer = {
  status: number;
  /** How many bytes it says that there are. */
  length: number;
  /** The body as it comes; who waits too long for more of it gets BlobsAway. */
  bytes(): Readable;
  text(): Promise<string>;
  /** The same, of an answer that a server may begin before it knows whether it can. Throws BlobsAway where it cannot. */
  said(): Promise<string>;
  /** By which the server knows what was sent. */
  tag: string | undefined;
  drop(): void;
};

/** An answer of a server, of whom it is waited for more as patiently as that. */
export function answerIn({ status, header, body }: Answered, patience: Patience): S3Answer {
  const bytes = (): Readable => {
    const read = Readable.from(patiently(body, patience), { objectMode: false });
    // Also where nobody has begun to read.
    return read.once("close", () => body.destroy());
  };
  return {
    status,
    length: Number(header("content-length")),
    bytes,
    text: () => text(bytes()),
    async said() {
      const said = await text(bytes());
      if (said.includes("<Error>")) throw new BlobsAway(new Error(`the S3 server cannot: ${said.slice(0, 500)}`));
      return said;
    },
    tag: header("etag"),
    drop: () => void body.resume(),
  };
}

async function* patiently(body: Readable, { silence, goOn }: Patience): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      let silent = 0;
      const timer = setInterval(() => {
        goOn((silent += silence)).catch((error: Error) => body.destroy(error));
      }, silence);
      const next = await chunks.next().finally(() => clearInterval(timer));
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw new BlobsAway(error);
  } finally {
    body.destroy();
  }
}
