import fc from "fast-check";
import { expect, test } from "vitest";
import { layOut } from "../../../domain/bodies/text-work.ts";
import { noticeText } from "./notice-text.ts";

const baseUrl = "https://hub.example";

/** Names as they are stored: one line. */
const name = fc
  .oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(
          ..."B|ob| |:)|:-)|:smile:|[|]|[b]|[/zrl]|<|>|&|&amp;|\"|'|@|#|*|_|`|http://a.example|~~|!".split("|"),
        ),
        {
          maxLength: 8,
        },
      )
      .map((pieces) => pieces.join("")),
  )
  .map((text) => text.toWellFormed().replaceAll(/\p{Cc}/gu, ""));
const url = fc.constantFrom(
  "https://hub.example/channel/bob",
  "https://far.example/@bob?a=1&b=2",
  "http://hub.example:8080/~bob",
  "javascript:alert(1)",
  "",
);
const telling = fc.constantFrom(
  { does: "likes", thing: "a post", after: "" },
  { does: "wrote", thing: "a post", after: " on your wall" },
  { does: "sent you a message", thing: "", after: "" },
);

test("a notice is written as its bbcode would be", () => {
  fc.assert(
    fc.property(name, url, telling, (name, url, { does, thing, after }) => {
      const link = `${baseUrl}/display/b64.abc`;
      const what = thing === "" ? "" : ` [zrl=${link}]${thing}[/zrl]`;
      const label = name.replace(/[[\]]/g, "");
      // The hub itself has no name.
      const bbcode = `${label === "" ? "" : `[zrl=${url}]${label}[/zrl] `}${does}${what}${after}`;
      const { html, plain } = layOut(bbcode, "text/bbcode", { baseUrl, name: "" }, 100_000);
      expect(noticeText(baseUrl, { name, url }, { does, thing, after }, link)).toEqual({ html, plain });
    }),
  );
});
