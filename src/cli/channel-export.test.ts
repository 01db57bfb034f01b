import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { unpackTar } from "modern-tar";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hubbub, hubbubJson, hubbubProcess, newPlace } from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";

let place: Place;
beforeAll(async () => {
  place = await newPlace({ HUBBUB_BASE_URL: "http://hub.example" });
  const account = ["--email", "alma@example.org", "--password", "correct horse", "--nick", "alma", "--name", "Alma"];
  await hubbubJson(place, "account", "create", ...account);
});
afterAll(() => place.remove());

test("the export goes to standard output", async () => {
  const { code, stdout, stderr } = await hubbubProcess(place, ["channel", "export", "alma"]);
  expect([code, stderr]).toEqual([0, ""]);
  const { channel, relocate, item } = JSON.parse(stdout);
  expect(channel.channel_prvkey).toContain("PRIVATE KEY");
  expect([relocate.url, item]).toEqual(["http://hub.example", undefined]);
  expect(JSON.parse((await hubbub(place, ["channel", "export", "alma", "--posts"])).stdout).item).toEqual([]);
});

test("or to a file that only its owner can read", async () => {
  const out = join(place.folder, "alma.json");
  type Answer = { nick: string; file: string; bytes: number };
  const { bytes, ...answer } = await hubbubJson<Answer>(place, "channel", "export", "alma", "--out", out);
  expect(answer).toEqual({ nick: "alma", file: out });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(bytes).toBe(statSync(out).size);
  expect(JSON.parse(readFileSync(out, "utf8")).channel.channel_address).toBe("alma");
});

test("with --archive it is a tar file, and progress goes to standard error", async () => {
  const out = join(place.folder, "alma.tar");
  const { code, stdout, stderr } = await hubbub(place, ["channel", "export", "alma", "--archive", "--out", out]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("It holds the private key")]);
  expect(stderr).toMatch(/0 of 0 posts/);
  const entries = await unpackTar(readFileSync(out), { strict: true });
  const names = ["archive.json", "channel.json", "elsewhere.json", "SHA256SUMS", "SHA256SUMS.sig"];
  expect(entries.map(({ header }) => header.name)).toEqual(names);
});

test("a channel that is not there is an error", async () => {
  const { code, stdout, stderr } = await hubbub(place, ["channel", "export", "nobody"]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("nobody");
});
