import { expect, test } from "vitest";
import { findShare, innermostShare, makeShare, sharedIds, withoutShared } from "./share.ts";

const share = {
  author: "Ann O'Hara & [Co]",
  profile: "https://a.example/ann",
  avatar: "https://a.example/ann.png",
  link: "https://a.example/item/1",
  posted: "2020-01-01 10:00:00",
  messageId: "5f0c21d9",
  body: "Hello [b]you[/b]",
};

test("a share is written with a URL-encoded author and read again", () => {
  const block = makeShare(share);
  expect(block).toMatch(/^\[share author='Ann%20O%27Hara%20%26%20%5BCo%5D' profile='https:\/\/a\.example\/ann' /);
  expect(findShare(block)).toEqual({ share, added: "" });
  expect(findShare(`before\n\n${block}\n after `)).toEqual({ share, added: "before\nafter" });
});

test("blocks of existing hubs", () => {
  const found = findShare(
    '[share author="Ann+B" profile="p" avatar="a" link="l" posted="d" message_id="m"]\nx\n[/share]',
  );
  expect(found?.share).toMatchObject({ author: "Ann B", messageId: "m", body: "x" });
  expect(findShare("[code][share author='a']x[/share][/code]")).toBeUndefined();
  expect(findShare("[share author='a']x")).toBeUndefined();
});

test("a share in a share", () => {
  const outer = { ...share, author: "Bob", body: `look: ${makeShare(share)}` };
  expect(findShare(makeShare(outer))?.share.author).toBe("Bob");
  expect(innermostShare(outer)).toEqual(share);
  expect(innermostShare(share)).toEqual(share);
});

test("values and bodies cannot end the block", () => {
  const found = findShare(makeShare({ ...share, link: "https://a.example/'] [b", body: "x [/share] [share] y" }));
  expect(found?.share.link).toBe("https://a.example/%27%5D %5Bb");
  expect(found?.share.body).toBe("x (/share) (share) y");
  expect(found?.added).toBe("");
});

test("what is gone is a mark, wherever it stands in what is shared", () => {
  const outer = makeShare({ ...share, messageId: "other", body: `look: ${makeShare(share)} there` });
  const body = `before ${outer} after`;
  expect(sharedIds(body)).toEqual(["other", "5f0c21d9"]);
  const emptied = withoutShared(body, new Set(["5f0c21d9"]));
  expect(emptied).toBe(body.replace(makeShare(share), "[share message_id='5f0c21d9'][/share]"));
  expect(withoutShared(emptied, new Set(["5f0c21d9"]))).toBe(emptied);
  expect(withoutShared(body, new Set(["other"]))).toBe("before [share message_id='other'][/share] after");
  expect(withoutShared(body, new Set(["a third"]))).toBe(body);
});
