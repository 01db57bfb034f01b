import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { s3Objects } from "./objects.ts";

/** Answers of a server that lists for good what has gone, as some do after they were busy. */
const asked: string[] = [];
const listing = `<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult>
  <Upload><Key>archives/a.tar</Key><UploadId>gone</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>
  <Upload><Key>archives/b.tar</Key><UploadId>new</UploadId><Initiated>2026-03-01T00:00:00.000Z</Initiated></Upload>
</ListMultipartUploadsResult>`;
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  if (request.method === "GET") response.setHeader("content-type", "application/xml").end(listing);
  else response.writeHead(404).end();
});
let endpoint: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("what was begun and never ended is given up once, even where it stays listed", async () => {
  const keys = { id: "key", secret: "secret" };
  const place = {
    kind: "s3",
    endpoint,
    bucket: "box",
    prefix: "archives/",
    region: "us-east-1",
    style: "path",
    keys,
  } as const;
  await s3Objects(place).sweep("", new Date("2026-02-01T00:00:00Z"));
  expect(asked.filter((one) => one.startsWith("DELETE"))).toEqual(["DELETE /box/archives/a.tar?uploadId=gone"]);
});
