import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWriter } from "./byte-writer.ts";

// Short and long pieces, so that many texts end on either side of where they are encoded.
const text = fc
  .tuple(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom(1, 1, 1, 40, 150, 400))
  .map(([words, times]) => words.repeat(times));
const piece = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3000 }) });

test("texts and bytes come out in their order", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const writer = new ByteWriter();
      for (const one of pieces) {
        if (typeof one === "string") writer.text(one);
        else writer.bytes(one);
      }
      expect(writer.written().equals(Buffer.concat(pieces.map((one) => Buffer.from(one as Uint8Array))))).toBe(true);
    }),
  );
});
