import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { AwsClient } from "aws4fetch";
import { freePort } from "./free-port.ts";

const program = resolve(import.meta.dirname, "swift-server.py");
const [key, secret] = ["hub:hub", "correct-horse"];

/** An S3 server of the tests' own: OpenStack Swift, the same process as long as nobody kills it. */
export type S3Server = {
  endpoint: string;
  /** Makes a bucket that nobody else has; answers what a hub is told of it, without options. */
  bucket(): Promise<{ name: string; url: string }>;
  /** The names of the objects in a bucket. */
  names(bucket: string): Promise<string[]>;
  /** How many uploads in parts were begun there and neither ended nor given up. */
  uploads(bucket: string): Promise<number>;
  beginUpload(bucket: string, name: string): Promise<void>;
  /** It answers nothing, but takes connections. */
  hang(): void;
  goOn(): void;
  /** It ends as if killed, and comes back with what it has stored. */
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

let buckets = 0;

export async function startS3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  const endpoint = `http://127.0.0.1:${ports[0]}`;
  const client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, service: "s3", region: "us-east-1" });
  let child = await start(folder, ports);
  const ended = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await gone;
  };
  return {
    endpoint,
    async bucket() {
      const name = `bucket-${process.pid}-${buckets++}`;
      const { status } = await client.fetch(`${endpoint}/${name}`, { method: "PUT" });
      if (status !== 200) throw new Error(`No bucket is made: ${status}`);
      return { name, url: `s3://${encodeURIComponent(key)}:${secret}@${name}?endpoint=${endpoint}` };
    },
    async names(bucket) {
      const answer = await client.fetch(`${endpoint}/${bucket}?list-type=2`);
      return [...(await answer.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name]) => name!);
    },
    async uploads(bucket) {
      const answer = await client.fetch(`${endpoint}/${bucket}?uploads`);
      return (await answer.text()).split("<UploadId>").length - 1;
    },
    async beginUpload(bucket, name) {
      await client.fetch(`${endpoint}/${bucket}/${encodeURIComponent(name)}?uploads`, { method: "POST" });
    },
    hang: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
    kill: ended,
    startAgain: async () => void (child = await start(folder, ports)),
    async stop() {
      await ended();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(folder: string, ports: readonly number[]): Promise<ChildProcess> {
  const args = [program, folder, key, secret, ...ports.map(String)];
  const child = spawn("/usr/bin/python3", args, { stdio: ["ignore", "pipe", "pipe"] });
  // Also when the run is cut off.
  const kill = (): boolean => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  await new Promise<void>((ready, fail) => {
    child.stdout.once("data", () => ready());
    child.once("close", () => fail(new Error(`The S3 server ended: ${errors}`)));
  });
  return child;
}
