import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { fileResponse } from "./file-answer.ts";
import type { FileRequest } from "./file-answer.ts";

const content = "0123456789";

async function ask(request: Partial<FileRequest>, saveAs?: string) {
  const response = await fileResponse(
    { method: "GET", range: "", ifRange: "", ifNoneMatch: "", ...request },
    {
      size: content.length,
      version: "v1",
      type: "text/plain",
      saveAs,
      isPublic: false,
      read: (start, length) => Promise.resolve(Readable.from([Buffer.from(content.slice(start, start + length))])),
    },
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("ranges", () => {
  test.each([
    ["", 200, content, null],
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=4-", 206, "456789", "bytes 4-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-30", 206, content, "bytes 0-9/10"],
    ["bytes=8-100", 206, "89", "bytes 8-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["bytes=5-2", 200, content, null],
    ["bytes=0-1,4-5", 200, content, null],
    ["lines=1-2", 200, content, null],
    ["bytes=-", 200, content, null],
    ["nonsense", 200, content, null],
  ])("%s", async (range, status, text, where) => {
    const answer = await ask({ range });
    expect([answer.status, answer.text, answer.headers.get("content-range")]).toEqual([status, text, where]);
    if (status < 300) expect(answer.headers.get("content-length")).toBe(String(text.length));
  });

  test("a range of another version is the whole file", async () => {
    expect((await ask({ range: "bytes=0-3", ifRange: '"v0"' })).text).toBe(content);
    expect((await ask({ range: "bytes=0-3", ifRange: '"v1"' })).text).toBe("0123");
  });
});

test.each([
  ['"v1"', 304],
  ['W/"v1"', 304],
  ['"v0", "v1"', 304],
  ["*", 304],
  ['"v2"', 200],
])("if-none-match %s", async (ifNoneMatch, status) => {
  expect((await ask({ ifNoneMatch })).status).toBe(status);
});

test("HEAD has the headers and no bytes", async () => {
  const answer = await ask({ method: "HEAD" });
  expect([answer.status, answer.text, answer.headers.get("content-length")]).toEqual([200, "", "10"]);
});

test("a name for saving cannot leave its header", async () => {
  const { headers } = await ask({}, 'a"b\r\nc; é(1).txt');
  expect(headers.get("content-disposition")).toBe(
    "attachment; filename=\"a_b__c; _(1).txt\"; filename*=UTF-8''a%22b%0D%0Ac%3B%20%C3%A9%281%29.txt",
  );
});
