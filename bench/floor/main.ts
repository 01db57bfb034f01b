import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { DatabaseSettings } from "../../src/config/database.ts";
import { actorDocument, itemDocument, webFinger } from "./documents.ts";
import { albumObjects, fileChunk, fileEntries } from "./files.ts";
import { keepActivity } from "./inbox.ts";
import { statusObjects } from "./statuses.ts";
import { homeTimeline, oneStatus, timelines } from "./timelines.ts";
import { networkThreads, portableItems, wallThreads, wholeThreads } from "./items.ts";
import { post } from "./post.ts";
import { checkSignature } from "./signature.ts";
import { openFloorDatabase } from "./read.ts";
import type { FloorDatabase, Row } from "./read.ts";
import { groupMembers, xchanRecord } from "./records.ts";

/**
 * The floor: what answering costs when there is nothing but node:http, prepared statements and JSON.stringify. No log-in,
 * no permissions, no checks. Its answers take their shape from `examples`, answers of the hub by name of the case.
 */
export type FloorStart = { settings: DatabaseSettings; baseUrl: string; examples: Record<string, any>; film: string };

type Answer = (
  db: FloorDatabase,
  query: URLSearchParams,
  example: any,
  start: FloorStart,
  request: IncomingMessage,
) => Promise<unknown>;

const answers: Record<string, Answer> = {
  ...Object.fromEntries(
    Object.entries(timelines).map(([name, rows]): [string, Answer] => [
      name,
      async ({ run }, query, example: Row[]) =>
        statusObjects(run, await rows(run, query), Number(query.get("uid")), example[0]!),
    ]),
  ),
  "statuses/show": async ({ run }, query, example: Row) =>
    (await statusObjects(run, await oneStatus(run, Number(query.get("id"))), Number(query.get("uid")), example))[0],
  "network/stream": async ({ run }, query, example: Row[]) =>
    portableItems(run, await wholeThreads(run, await networkThreads(run, Number(query.get("uid")), 20)), example[0]!),
  "channel/stream": async ({ run }, query, example: Row[]) =>
    portableItems(
      run,
      await wholeThreads(run, await wallThreads(run, Number(query.get("uid")), query.get("since")!, 20)),
      example[0]!,
    ),
  xchan: ({ run }, query, example: Row) => xchanRecord(run, query.get("hash")!, example),
  group_members: ({ run }, query, example: Row[]) =>
    groupMembers(run, Number(query.get("uid")), Number(query.get("gid")), example[0]!),
  actor: ({ run }, query, example: Row) => actorDocument(run, query.get("nick")!, example),
  webfinger: ({ run }, query, example: Row) => webFinger(run, query.get("nick")!, example),
  item: ({ run }, query, example: Row) => itemDocument(run, query.get("uuid")!, example),
  files: ({ run }, query, example: Row) => fileEntries(run, Number(query.get("uid")), example),
  albums: ({ run }, query, _example, { baseUrl }) =>
    albumObjects(run, Number(query.get("uid")), `${baseUrl}/photos/${query.get("nick")!}/album`),
  filedata: ({ run }, query, example: Row, { film }) => {
    const [start, length] = [Number(query.get("start")), Number(query.get("length"))];
    return fileChunk(run, film, { hash: query.get("hash")!, start, length }, example);
  },
  "statuses/update": async (db, query, example: Row, { baseUrl }) => {
    const { id, mid } = await posted(db, query, baseUrl);
    const text = query.get("body")!;
    return {
      ...example,
      id,
      id_str: String(id),
      text,
      statusnet_html: text,
      svc_html: text,
      statusnet_conversation_id: id,
      external_url: mid,
    };
  },
  "item/update": async (db, query, example: Row, { baseUrl }) => {
    const { id, mid } = await posted(db, query, baseUrl);
    const body = query.get("body")!;
    const item = {
      ...(example["item"] as Row),
      id: String(id),
      mid,
      parent: String(id),
      parent_mid: mid,
      thr_parent: mid,
      body,
      html: body,
      plink: mid,
    };
    return { success: true, item_id: String(id), item };
  },
  private: ({ run }, query, { pem, item }: { pem: string; item: Row }, _start, request) => {
    checkSignature(request, pem);
    return itemDocument(run, query.get("uuid")!, item);
  },
  inbox: (db, _query, example: { pem: string }, _start, request) => keepActivity(db, example.pem, request),
  page: async ({ run }, query) => {
    const rows = await homeTimeline(run, Number(query.get("uid")), 20);
    const posts = rows.map((row) => `<article id="${row["id"]}">${row["html"]}</article>`).join("");
    return posts.padEnd(Number(query.get("size"))).slice(0, Number(query.get("size")));
  },
};

function posted(db: FloorDatabase, query: URLSearchParams, baseUrl: string) {
  return post(db, baseUrl, Number(query.get("uid")), Number(query.get("xchan")), query.get("body")!);
}

function serve(start: FloorStart): void {
  const db = openFloorDatabase(start.settings);
  const server = createServer(async (request, response) => {
    const [path, query] = request.url!.split("?", 2);
    const name = path!.slice(1);
    try {
      if (name !== "inbox") request.resume();
      const value = await answers[name]!(db, new URLSearchParams(query), start.examples[name], start, request);
      const body = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
      response
        .writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length })
        .end(body);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
}

process.once("message", (start) => serve(start as FloorStart));
process.once("disconnect", () => process.exit());
