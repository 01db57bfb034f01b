import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideType, isShownInPlace, servedType } from "./decide-type.ts";
import { checkName, extensionOf, numberedName, tidyName } from "./names.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const rightToLeft = "\u202e";

describe("names that people choose", () => {
  test.each([
    ["plain", "tree.jpg", "tree.jpg"],
    ["white space around", "  my tree.jpg \n", "my tree.jpg"],
    ["control characters", "a\u0000b\u0007\tc\u007f.txt", "abc.txt"],
    ["marks that turn text around", `invoice${rightToLeft}gpj.exe`, "invoicegpj.exe"],
    ["letters that are written in two ways", "e\u0301t\u00e9", "\u00e9t\u00e9"],
    ["half of a pair", "a\ud800b", "a\ufffdb"],
    ["another script", "тест файл", "тест файл"],
    ["191 characters", "x".repeat(191), "x".repeat(191)],
    ["191 characters outside the first plane", "🌲".repeat(191), "🌲".repeat(191)],
    ["dots", "...", "..."],
  ])("%s", (_, typed, stored) => expect(checkName(typed)).toBe(stored));

  test.each([
    ["nothing", ""],
    ["white space", " \t "],
    ["only hidden signs", `${rightToLeft}\u0000`],
    ["the directory itself", "."],
    ["the directory above", ".."],
    ["the directory above, hidden", `.${rightToLeft}.`],
    ["a path", "a/b"],
    ["a path upwards", "../x"],
    ["192 characters", "x".repeat(192)],
  ])("refused: %s", (_, typed) => {
    expect(() => checkName(typed)).toThrow(expect.objectContaining({ kind: "invalid", field: "filename" }));
  });
});

describe("names that uploads bring along", () => {
  test.each([
    ["../x", "x"],
    ["../../etc/passwd", "passwd"],
    ["a/b", "b"],
    ["a/..", "file"],
    ["a/", "file"],
    ["", "file"],
    ["\u0000", "file"],
    ["C:\\fakepath\\tree.jpg", "C:\\fakepath\\tree.jpg"],
    [`photo${rightToLeft}gpj.scr`, "photogpj.scr"],
    [`${"x".repeat(400)}.jpeg`, `${"x".repeat(186)}.jpeg`],
    ["x".repeat(400), "x".repeat(191)],
    [`a.${"x".repeat(400)}`, `a.${"x".repeat(189)}`],
    ["x\ny.txt", "xy.txt"],
  ])("%j becomes %j", (sent, stored) => expect(tidyName(sent)).toBe(stored));

  test("whatever comes, the name can be stored, stays as it is, and numbers fit in", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.nat(100_000), (sent, number) => {
        const name = tidyName(sent);
        expect(checkName(name)).toBe(name);
        expect(tidyName(name)).toBe(name);
        expect(checkName(numberedName(name, number))).toContain(`(${number})`);
      }),
    );
  });

  test.each([
    ["tree.jpg", "tree(1).jpg"],
    ["tree", "tree(1)"],
    [".profile", ".profile(1)"],
    ["a.tar.gz", "a.tar(1).gz"],
    ["tree.", "tree.(1)"],
    [`${"x".repeat(187)}.jpg`, `${"x".repeat(184)}(1).jpg`],
  ])("%j gets its number before the extension", (name, numbered) => expect(numberedName(name, 1)).toBe(numbered));

  test("extensions are in small letters", () => {
    expect(extensionOf("A.JPG")).toBe("jpg");
    expect(extensionOf(".bashrc")).toBe("");
    expect(extensionOf("a.b c")).toBe("b c");
  });
});

describe("types", () => {
  test.each([
    ["declared and known", "application/pdf", "x.bin", undefined, "application/pdf"],
    ["declared with parameters", "Text/Plain; charset=utf-8", "x", undefined, "text/plain"],
    ["declared as anything", "application/octet-stream", "x.pdf", undefined, "application/pdf"],
    ["declared and unknown", "application/x-nobody-knows", "x.ics", undefined, "text/calendar"],
    ["not declared", "", "x.md", undefined, "text/markdown"],
    ["nothing known", "", "x", undefined, "application/octet-stream"],
    ["the type of directories", "multipart/mixed", "x", undefined, "application/octet-stream"],
    ["an image by its bytes", "text/plain", "x.txt", "image/png", "image/png"],
    ["an old name", "image/jpg", "x", "image/jpg", "image/jpeg"],
    ["only called an image", "image/png", "x.png", undefined, "application/octet-stream"],
    ["only named as an image", "", "x.jpg", undefined, "application/octet-stream"],
    ["drawn in XML", "image/svg+xml", "x.svg", undefined, "image/svg+xml"],
  ])("%s", (_, declared, name, bytes, decided) => expect(decideType(declared, name, bytes)).toBe(decided));

  test.each([
    "text/html",
    "application/xhtml+xml",
    "text/xml",
    "application/xml",
    "application/rss+xml",
    "image/svg+xml",
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/ecmascript",
    "application/xslt+xml",
    "text/xsl",
    "TEXT/HTML",
  ])("%s could run script", (type) => {
    expect(servedType(type)).toBe("text/plain");
    expect(isShownInPlace(type)).toBe(false);
  });

  test.each(["image/jpeg", "image/webp", "audio/mpeg", "video/mp4", "video/x-matroska"])("%s is shown", (type) => {
    expect(servedType(type)).toBe(type);
    expect(isShownInPlace(type)).toBe(true);
  });

  test.each([
    "application/pdf",
    "text/plain",
    "application/zip",
    "application/octet-stream",
    "audio/x+xml",
    "image/wmf",
  ])("%s is offered for saving", (type) => expect(isShownInPlace(type)).toBe(false));
});
