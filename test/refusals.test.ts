import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refusal } from "../src/errors.ts";
import { microblogFace } from "../src/faces/microblog/face.ts";
import { messages as microblog } from "../src/faces/microblog/messages.ts";
import { nativeFace } from "../src/faces/native/face.ts";
import { messages as native } from "../src/faces/native/messages.ts";
import { reasonsOf } from "../src/faces/native/reasons.ts";
import { messagesIn } from "../src/faces/web/messages.ts";
import { rowsOf } from "../src/http/face.ts";
import { keptForm, messageOf, messageOfKept } from "../src/refusals/messages.ts";
import { refusals } from "../src/refusals/refusals.ts";
import type { Code } from "../src/refusals/refusals.ts";

/** The domain refuses by code, and faces have the words; that each face has words for each code is for the compiler to say. */

const pages = messagesIn("en", {});
const root = join(import.meta.dirname, "../src");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const kinds = new Set<string>(Object.values(refusals).map(({ kind }) => kind));
const codes = Object.keys(refusals) as Code[];

test("no code is without somebody who throws it", () => {
  const throwing = sources.filter(({ path }) => !path.startsWith("refusals/") && !path.includes("/words/"));
  const thrown = (code: Code): boolean => throwing.some(({ text }) => text.includes(`"${code}"`));
  expect(codes.length).toBeGreaterThan(100);
  expect(codes.filter((code) => !thrown(code))).toEqual([]);
});

test("the domain has no words of its own for what it refuses", () => {
  const speaks = sources.filter(({ path, text }) => path.startsWith("domain/") && /new HubError\(/.test(text));
  expect(speaks.map(({ path }) => path)).toEqual([]);
});

test("what endpoints answer in words of their own is thrown", async () => {
  const thrown = (key: string): boolean => {
    if (Object.hasOwn(refusals, key) || kinds.has(key) || key === "broken") return true;
    return sources.some(({ text }) => new RegExp(`(?:reason: |refusal\\(|\\? )"${key}"`).test(text));
  };
  const keys = [...(await rowsOf(nativeFace)), ...(await rowsOf(microblogFace))].flatMap((row) =>
    [row.errors, ...Object.values(row.errorsAs ?? {})].flatMap((own) => Object.keys(own ?? {})),
  );
  expect(keys.length).toBeGreaterThan(50);
  expect([...new Set(keys)].filter((key) => !thrown(key))).toEqual([]);
});

describe("the words of a face", () => {
  test("of the native contract go with reasons that say more than a kind", () => {
    expect(Object.keys(reasonsOf).filter((code) => !Object.hasOwn(refusals, code))).toEqual([]);
  });

  test("are made of what goes with the code", () => {
    expect(messageOf(native, refusal("duplicate_post"))).toBe("duplicate post");
    expect(messageOf(pages, refusal("duplicate_post"))).toBe("This has been posted already.");
    expect(messageOf(pages, refusal("storage_full"))).toBe("The storage of this account is used up.");
    const limit = refusal("posting_limit", { span: "week", most: 1, retryAfter: 5 });
    expect(limit).toMatchObject({ kind: "too-many", retryAfter: 5 });
    expect(messageOf(microblog, limit)).toBe("Weekly posting limit of 1 post reached. The post was rejected.");
  });
});

test("a report keeps the code, and the words of earlier versions stay", () => {
  const kept = keptForm(refusal("image_too_large", { name: "a.png", most: 5 }));
  expect(kept).not.toContain("larger");
  expect(messageOfKept(pages, kept)).toBe("The image a.png is larger than 5 bytes.");
  expect(messageOfKept(pages, "The image is too large.")).toBe("The image is too large.");
  expect(messageOfKept(pages, '{"code":"of_a_later_version","data":{}}')).toBe("of_a_later_version");
});
