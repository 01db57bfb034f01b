import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RefusedAddress, checkedLookup, fetchExcept, isPrivateHost } from "./fetch.ts";

let server: Server;
let base: string;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`.trim());
    const [, status = "200", to = ""] = /^\/(\d+)(?:\?to=(.*))?$/.exec(request.url ?? "") ?? [];
    response.writeHead(Number(status), {
      "content-type": "text/plain",
      ...(to && { location: decodeURIComponent(to) }),
    });
    response.end("hello");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe("hosts", () => {
  test.each([
    "localhost",
    "db.internal",
    "printer.local",
    "intranet",
    "127.0.0.1",
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.31.0.1",
    "192.168.0.1",
    "198.18.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::7f00:1]",
    "[fe80::1]",
    "[fc00::1]",
    "[2001:db8::1]",
    "[2002:7f00:1::]",
    "localhost.",
  ])("%s is private", (host) => {
    expect(isPrivateHost(host)).toBe(true);
  });

  test.each(["hub.example", "8.8.8.8", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]"])("%s is public", (host) => {
    expect(isPrivateHost(host)).toBe(false);
  });
});

describe("requests", () => {
  test.each(["ftp://hub.example/", "file:///etc/passwd", "nonsense", "http://2130706433/", "http://0x7f.1/"])(
    "%s is not asked",
    async (url) => {
      await expect(fetchExcept(isPrivateHost)(url)).rejects.toBeInstanceOf(RefusedAddress);
    },
  );

  test("a name that resolves to an inner address is refused when connecting", async () => {
    const error = await new Promise((resolve) =>
      checkedLookup(isPrivateHost)("localhost", { all: true }, (found) => resolve(found)),
    );
    expect(error).toBeInstanceOf(RefusedAddress);
    // The name itself passes; its address does not.
    const refuses = (host: string): boolean => host.startsWith("127.") || host === "::1";
    await expect(fetchExcept(refuses)(base.replace("127.0.0.1", "localhost"))).rejects.toThrow(/not public/);
  });

  test("answers and redirects come through; a redirect to an inner address does not", async () => {
    const fetch = fetchExcept((host) => host === "10.0.0.1");
    const answer = await fetch(`${base}/200`);
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "text/plain",
      "hello",
    ]);
    const to = (url: string): string => `${base}/302?to=${encodeURIComponent(url)}`;
    expect((await fetch(to("/404"))).status).toBe(404);
    await expect(fetch(to("http://10.0.0.1/"))).rejects.toBeInstanceOf(RefusedAddress);
    await expect(fetch(to("file:///etc/passwd"))).rejects.toBeInstanceOf(RefusedAddress);
    await expect(fetch(`${base}/302?to=${encodeURIComponent("/302?to=x")}`)).resolves.toMatchObject({ status: 200 });
  });

  test("credentials stay with the server that they are for", async () => {
    const other = base.replace("127.0.0.1", "localhost");
    const headers = { Authorization: "Basic secret" };
    const url = `${base}/302?to=${encodeURIComponent(`${other}/201`)}`;
    asked.length = 0;
    await (await fetchExcept(() => false)(url, { headers })).text();
    expect(asked).toEqual([expect.stringMatching(/ Basic secret$/), "GET /201"]);
  });

  test("what the operator allows is asked, and nothing that it redirects to or that another name stands for", async () => {
    const fetch = fetchExcept(isPrivateHost);
    const other = base.replace("127.0.0.1", "localhost");
    const to = (url: string): string => `/302?to=${encodeURIComponent(url)}`;
    const asks = (url: string, within: string[]): Promise<string> =>
      fetch(url, { within }).then(
        (answer) => `${answer.status}`,
        (error: Error) => error.message,
      );
    expect(await asks(`${base}/200`, ["127.0.0.1"])).toBe("200");
    expect(await asks(`${base}/200`, ["10.0.0.0/8", "127.0.0.0/8"])).toBe("200");
    expect(await asks(`${other}/200`, ["localhost"])).toBe("200");
    const refused = "This address is not public";
    expect(await asks(`${base}/200`, ["10.0.0.0/8", "localhost", "fe80::/10"])).toBe(refused);
    expect(await asks(`${other}/200`, ["127.0.0.2"])).toBe(refused);
    expect(await asks(base + to("http://127.0.0.2/"), ["127.0.0.1"])).toBe(refused);
    expect(await asks(other + to(`${base}/200`), ["localhost"])).toBe(refused);
    // The exception is for the one who asks so, and not for the next request.
    expect(await asks(`${base}/200`, [])).toBe(refused);
    // A name that the operator did not name may not lead into a network that is not allowed.
    const lookedUp = (within: string[]) =>
      new Promise((resolve) =>
        checkedLookup((host, name) => isPrivateHost(host) && !within.includes(name ?? ""))(
          "localhost",
          { all: true },
          (found) => resolve(found),
        ),
      );
    expect(await lookedUp(["old.example"])).toBeInstanceOf(RefusedAddress);
    expect(await lookedUp(["localhost"])).toBeNull();
  });

  test("a loop ends", async () => {
    const loop = createServer((_, response) => response.writeHead(302, { location: "/" }).end());
    await new Promise<void>((resolve) => loop.listen(0, "127.0.0.1", resolve));
    const { port } = loop.address() as AddressInfo;
    await expect(fetchExcept(() => false)(`http://127.0.0.1:${port}/`)).rejects.toThrow(/too many redirects/);
    loop.close();
  });
});
