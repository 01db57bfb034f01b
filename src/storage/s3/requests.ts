import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { BlobsAway } from "../../errors.ts";
import type { S3Place } from "../../config/storage-places.ts";
import { answerIn } from "./answers.ts";
import type { S3Answer } from "./answers.ts";
import { Presence } from "./presence.ts";
import type { Patience, Ready, Send } from "./send.ts";

/** Requests to an S3 server: signed, tried again while that is of use, and ended when the server says nothing. */

export type S3Request = {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Below bucket and prefix; empty: the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** What is sent: opened anew for each attempt. */
  body?: { open(): Readable; size: number; sha256: string };
  /** The statuses that are answers; any other one means that the store cannot be used. */
  answers: readonly number[];
};

export type S3Requests = {
  /** Throws BlobsAway. */
  ask(request: S3Request): Promise<S3Answer>;
  /** An address at which anybody can read the key for a minute. */
  sign(key: string, query: Record<string, string>): Promise<string>;
};

/** Attempts begin no later than that after the first one (milliseconds). */
const triesFor = 4000;
const addressSeconds = 60;
/** An object without bytes, with which a server is tried that has failed. */
const probe = "hubbub-probe";
/** What servers answer when they want to be asked again. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export type RequestOptions = {
  /** How requests go out. */
  send: Send;
  /** A server that says nothing for so long (milliseconds) is asked whether it is there, and has twice as long for that. */
  silence: number;
  /** One that is there, and still says nothing for so long (milliseconds), is given up. */
  patience: number;
  /** Hears of every attempt how long it took until its answer began (seconds), and whether it failed. */
  count: (seconds: number, failed: boolean) => void;
};

export function s3Requests(place: S3Place, { send, silence, patience, count }: RequestOptions): S3Requests {
  const derived = new Map<string, ArrayBuffer>();
  let keys: Keys | undefined;

  const signer = async (method: string, url: URL, headers: Record<string, string>, signQuery: boolean) =>
    new AwsV4Signer({
      ...(keys ??= await readKeys(place)),
      method,
      url: url.href,
      headers,
      signQuery,
      service: "s3",
      region: place.region,
      cache: derived,
    }).sign();

  type Attempt = Omit<S3Request, "answers"> & Pick<Ready, "alone">;
  async function attempt({ method, key, query, headers = {}, body, alone }: Attempt, patience: Patience) {
    const signed = await signer(
      method,
      urlOf(place, key, query),
      { ...headers, "x-amz-content-sha256": body?.sha256 ?? hashOfNothing },
      false,
    );
    const sent = method === "PUT" || method === "POST";
    const answered = await send(
      {
        method,
        url: signed.url,
        headers: {
          ...Object.fromEntries(signed.headers),
          ...(sent && { "content-length": String(body?.size ?? 0) }),
        },
        ...(body && { body: body.open }),
        ...(alone && { alone }),
      },
      patience,
    );
    return answerIn(answered, patience);
  }

  /** It is asked for what is wanted of it: a server may show what it has and take nothing, or say of a bucket that it is there and no more. */
  const presenceFor = (method: "GET" | "PUT"): Presence =>
    new Presence(async () => {
      const patience = { silence: 2 * silence, goOn: (silent: number) => Promise.reject(noWord(silent)) };
      const answer = await attempt({ method, key: probe, alone: true }, patience);
      if (passing.has(answer.status)) throw await refusalOf(answer);
      answer.drop();
    });
  const [reads, writes] = [presenceFor("GET"), presenceFor("PUT")];
  const patienceWith = (presence: Presence): Patience => ({
    silence,
    async goOn(silent) {
      if (silent >= patience) throw noWord(silent);
      await presence.confirm();
    },
  });
  return {
    async ask(request) {
      const began = performance.now();
      const presence = request.method === "GET" || request.method === "HEAD" ? reads : writes;
      for (let tries = 0; ; tries++) {
        await presence.pass();
        const start = performance.now();
        const outcome = await attempt(request, patienceWith(presence)).catch((error: unknown) => error as Error);
        const isAnswer = !(outcome instanceof Error) && request.answers.includes(outcome.status);
        count((performance.now() - start) / 1000, !isAnswer);
        if (isAnswer) return outcome;
        // They may have been changed in their file.
        if (!(outcome instanceof Error) && outcome.status === 403) keys = undefined;
        const isOver = tries === 2 || performance.now() - began > triesFor;
        const mayPass = outcome instanceof Error || passing.has(outcome.status);
        const cause = outcome instanceof Error ? outcome : await refusalOf(outcome);
        if (isOver && mayPass) presence.doubt(cause);
        if (isOver || !mayPass) throw new BlobsAway(cause);
        await sleep(200 * 2 ** tries * (1 + Math.random()));
      }
    },
    async sign(key, query) {
      const url = urlOf(place, key, { ...query, "X-Amz-Expires": String(addressSeconds) });
      return (await signer("GET", url, {}, true)).url.href;
    },
  };
}

function noWord(milliseconds: number): Error {
  return new Error(`no word for ${milliseconds / 1000} s`);
}

const hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

type Keys = { accessKeyId: string; secretAccessKey: string };

async function readKeys({ keys }: S3Place): Promise<Keys> {
  if ("id" in keys) return { accessKeyId: keys.id, secretAccessKey: keys.secret };
  const text = (await readFile(keys.file, "utf8")).trim();
  // Servers there are whose keys have colons; secrets have none.
  const colon = text.lastIndexOf(":");
  return { accessKeyId: text.slice(0, colon), secretAccessKey: text.slice(colon + 1) };
}

function urlOf({ endpoint, bucket, prefix, style }: S3Place, key: string, query: Record<string, string> = {}): URL {
  const url = new URL(endpoint);
  if (style === "host") url.hostname = `${bucket}.${url.hostname}`;
  const path = key === "" ? "" : `${prefix}${key}`;
  url.pathname = (style === "host" ? `/${path}` : `/${bucket}/${path}`).split("/").map(encodeURIComponent).join("/");
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** What the server has said in place of an answer. */
async function refusalOf(answer: S3Answer): Promise<Error> {
  const text = await answer.text().catch(() => "");
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? "";
  return new Error(`the S3 server answers ${answer.status} ${code}`.trim());
}
