import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Call } from "./load/main.ts";
import { logIn } from "./log-in.ts";

const callOf = (login: string): Call => ({ method: "GET", path: "/", login });

/** A hub that answers with these, one after the other, and who has asked it. */
async function answering(statuses: number[]) {
  const asked: string[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(Buffer.from(headers.authorization!.slice("Basic ".length), "base64").toString());
    response.writeHead(statuses.shift() ?? 200, { "retry-after": "0" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { asked, server: { port: (server.address() as AddressInfo).port } };
}

test("everybody logs in once, and again where too many wait", async () => {
  const { asked, server } = await answering([200, 429, 429, 200]);
  await logIn(server, [callOf("ann:1"), callOf("bert:2"), callOf("ann:1"), { method: "GET", path: "/" }]);
  expect(asked).toEqual(["ann:1", "bert:2", "bert:2", "bert:2"]);
});

test("a log-in that is refused is no load", async () => {
  const { server } = await answering([401]);
  await expect(logIn(server, [callOf("ann:wrong")])).rejects.toThrow("401 for the log-in of ann");
});
