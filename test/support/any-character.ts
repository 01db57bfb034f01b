import fc from "fast-check";

/**
 * Any character that there is. fast-check's own (`unit: "binary"`) makes a list of all million of them first: one and a half
 * seconds, and a hundred megabytes in each process.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));
