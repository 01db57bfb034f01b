import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { BlobsAway } from "../../errors.ts";

/** What an S3 server answers. Its body must be read or dropped. */
export type S3Answer = {
  status: number;
  /** How many bytes it says that there are. */
  length: number;
  /** The body as it comes; who waits too long for more of it gets BlobsAway. */
  bytes(): Readable;
  text(): Promise<string>;
  drop(): void;
};

/** The answer in a message of a server that is away when it says nothing for so long (milliseconds). */
export function answerIn(message: IncomingMessage, patience: number): S3Answer {
  const bytes = (): Readable => {
    const read = Readable.from(patiently(message, patience), { objectMode: false });
    // Also where nobody has begun to read.
    return read.once("close", () => message.destroy());
  };
  return {
    status: message.statusCode!,
    length: Number(message.headers["content-length"]),
    bytes,
    text: () => text(bytes()),
    drop: () => void message.resume(),
  };
}

async function* patiently(message: IncomingMessage, patience: number): AsyncGenerator<Buffer> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const timer = setTimeout(() => message.destroy(new Error("no more of it comes")), patience);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw new BlobsAway(error);
  } finally {
    message.destroy();
  }
}
