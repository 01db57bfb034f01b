import fc from "fast-check";
import { expect, test } from "vitest";
import { pairsOf, respell, spell } from "./pairs.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

/** The one spelling that OAuth signs (microblog contract 6.3), from every other. */

const bytes = Array.from({ length: 256 }, (_, byte) => byte);
const right = (byte: number): string => {
  const character = String.fromCharCode(byte);
  const hex = byte.toString(16).toUpperCase().padStart(2, "0");
  return /[A-Za-z0-9._~-]/.test(character) ? character : `%${hex}`;
};

test("every byte has one spelling, however it was escaped", () => {
  for (const byte of bytes) {
    const hex = byte.toString(16).padStart(2, "0");
    for (const written of [`%${hex}`, `%${hex.toUpperCase()}`, right(byte)])
      expect([written, respell(`a${written}b`, true), respell(`%C3${written}`, false)]).toEqual([
        written,
        `a${right(byte)}b`,
        `%C3${right(byte)}`,
      ]);
    if (byte === 0x25 || byte === 0x2b) continue;
    expect(respell(String.fromCharCode(byte), true)).toBe(right(byte));
  }
});

test("a plus is a space where it is one, and a lone percent sign is none of an escape", () => {
  expect(respell("a+b", true)).toBe("a%20b");
  expect(respell("a+b", false)).toBe("a%2Bb");
  expect(["%", "%4", "%4g", "%%41", "100%"].map((part) => respell(part, true))).toEqual([
    "%25",
    "%254",
    "%254g",
    "%25A",
    "100%25",
  ]);
});

test("what is spelled right stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const spelled = spell(text);
      expect(respell(spelled, true)).toBe(spelled);
      expect(pairsOf(`${spelled}=${spelled}`)).toEqual(spelled === "" ? [["", ""]] : [[spelled, spelled]]);
    }),
  );
});

test("spelling twice changes nothing more", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("%", "4", "1", "2", "b", "B", "F", "+", "~", "é", "!") }), (part) => {
      const spelled = respell(part, true);
      expect(respell(spelled, true)).toBe(spelled);
      expect(spelled).toMatch(/^(?:[\w.~-]|%[\dA-F]{2})*$/);
    }),
  );
});
