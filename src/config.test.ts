import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { ConfigError, describeConfig, readConfig } from "./config.ts";

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
