import fc from "fast-check";

/**
 * Any character that there is. fast-check's own (`unit: "binary"`) makes a list of all million of them first: one and a half
 * seconds, and a hundred megabytes in each process.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));

const plain = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@"];

/** Any part of a path, as `fc.webSegment()` makes it, which makes that list too. */
export const anySegment = fc.string({
  unit: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...plain) },
    { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
  ),
});
