import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

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
