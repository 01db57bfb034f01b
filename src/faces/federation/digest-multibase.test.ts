import { expect, test } from "vitest";
import { digestMultibase, readDigestMultibase } from "./digest-multibase.ts";

const hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

test("a digest is a multihash in multibase, read in both bases of the specification", () => {
  const written = digestMultibase(hex);
  expect(written).toBe("zQmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n");
  expect(readDigestMultibase(written)).toBe(hex);
  const base64 = Buffer.from(`1220${hex}`, "hex").toString("base64url");
  expect(readDigestMultibase(`u${base64}`)).toBe(hex);
});

test.each(["", "z", "zQm", "zQmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR0n", "uEiDj", "mabc", `z${"1".repeat(500)}`])(
  "%s says nothing",
  (text) => expect(readDigestMultibase(text)).toBe(""),
);
