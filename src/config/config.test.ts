import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { ConfigError } from "./read.ts";
import { describeConfig } from "./describe.ts";
import { readConfig } from "./config.ts";

test.each([
  ["http://127.0.0.1:8080", true],
  ["http://localhost:8080", true],
  ["http://hub.home.arpa", true],
  ["https://hub.example", false],
  ["http://8.8.8.8", false],
])("a hub at %s may ask private networks: %s", (HUBBUB_BASE_URL, may) => {
  const read = () => readConfig({ HUBBUB_BASE_URL, HUBBUB_ALLOW_PRIVATE: "on" }).allowPrivate;
  if (may) expect(read()).toBe(true);
  else expect(read).toThrow(ConfigError);
  expect(readConfig({ HUBBUB_BASE_URL }).allowPrivate).toBe(false);
});

test("one process serves from SQLite, and one for each core from PostgreSQL", () => {
  const HUBBUB_DATABASE_URL = "postgres://hubbub@localhost/hubbub";
  const cores = Math.min(availableParallelism(), 8);
  const found = [{}, { HUBBUB_DATABASE_URL }, { HUBBUB_DATABASE_URL, HUBBUB_PROCESSES: "3" }].map((env) => [
    readConfig(env).processes,
    describeConfig(env).find(({ name }) => name === "HUBBUB_PROCESSES")?.value,
  ]);
  expect(found).toEqual([
    [1, "1"],
    [cores, String(cores)],
    [3, "3"],
  ]);
});

test("a PostgreSQL may be named three times: through a pooler, past it, and by a replica", () => {
  const [HUBBUB_DATABASE_URL, HUBBUB_DATABASE_DIRECT_URL] = [
    "postgres://a:6432/hub",
    "postgres://b:hunter2@a:5432/hub",
  ];
  const usual = { engine: "postgres", url: HUBBUB_DATABASE_URL, pool: 10, timeout: 0, silence: 5, keepAlive: 60 };
  expect(readConfig({ HUBBUB_DATABASE_URL }).database).toEqual(usual);
  const env = {
    HUBBUB_DATABASE_URL,
    HUBBUB_DATABASE_DIRECT_URL,
    HUBBUB_DATABASE_REPLICA_URL: "postgres://b:hunter2@c/hub",
    HUBBUB_DATABASE_POOL: "20",
    HUBBUB_DATABASE_TIMEOUT: "30",
    HUBBUB_DATABASE_SILENCE: "3",
    HUBBUB_DATABASE_KEEPALIVE: "20",
  };
  const others = { direct: HUBBUB_DATABASE_DIRECT_URL, replica: "postgres://b:hunter2@c/hub" };
  const said = { ...others, pool: 20, timeout: 30, silence: 3, keepAlive: 20 };
  expect(readConfig(env).database).toEqual({ ...usual, ...said });
  expect(JSON.stringify(describeConfig(env))).not.toContain("hunter2");
  const wrongs = [
    { HUBBUB_DATABASE_URL, HUBBUB_DATABASE_DIRECT_URL: "mysql://x:hunter2@y/z" },
    // A choice of several servers.
    { HUBBUB_DATABASE_URL: "postgres://x:hunter2@a:5432,b:5432/hub" },
  ];
  for (const wrong of wrongs) {
    expect(() => readConfig(wrong)).toThrow(ConfigError);
    expect(() => readConfig(wrong)).not.toThrow(/hunter2/);
  }
});

test("blobs on S3 are one address, whose secret is in no message", () => {
  const blobs = (HUBBUB_BLOBS_URL: string, more = {}) => readConfig({ HUBBUB_BLOBS_URL, ...more }).blobs;
  const usual = { kind: "s3", bucket: "files", prefix: "", region: "us-east-1", style: "path" };
  expect(readConfig({}).blobs).toEqual({ at: { kind: "directory" }, from: undefined, redirect: false });
  expect(blobs("s3://AK:a%2Fb@files").at).toEqual({
    ...usual,
    endpoint: "https://s3.us-east-1.amazonaws.com",
    keys: { id: "AK", secret: "a/b" },
  });
  expect(blobs("s3://files/of/hub/?endpoint=http://localhost:9000&region=eu&style=host&keys=/etc/keys").at).toEqual({
    ...usual,
    prefix: "of/hub/",
    endpoint: "http://localhost:9000",
    region: "eu",
    style: "host",
    keys: { file: "/etc/keys" },
  });
  const wrong = [
    "s3://files",
    "s3://AK@files",
    "s3://AK:hunter2@files?keys=/etc/keys",
    "s3://AK:hunter2@files?colour=red",
  ];
  for (const url of [
    ...wrong,
    "s3://AK:hunter2@files?endpoint=nowhere",
    "s3://AK:hunter2@files?style=odd",
    "ftp://x:hunter2@y",
  ]) {
    expect([url, () => blobs(url)]).toEqual([url, expect.toSatisfy(throwsWithout("hunter2"))]);
  }
  expect(() => blobs("directory", { HUBBUB_BLOBS_FROM_URL: "directory" })).toThrow(ConfigError);
  expect(() => blobs("s3://AK:hunter2@files", { HUBBUB_MAX_UPLOAD: "2000000000000" })).toThrow(/HUBBUB_MAX_UPLOAD/);
  expect(JSON.stringify(describeConfig({ HUBBUB_BLOBS_URL: "s3://AK:hunter2@files" }))).not.toContain("hunter2");
});

function throwsWithout(secret: string): (work: () => unknown) => boolean {
  return (work) => {
    try {
      work();
      return false;
    } catch (error) {
      return error instanceof ConfigError && !error.message.includes(secret);
    }
  };
}
