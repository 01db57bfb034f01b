import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createServer as createSilent, Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { version } from "../version.ts";
import { RefusedAddress, UnusableAnswer } from "./fetch.ts";
import type { Fetch, FetchOptions } from "./fetch.ts";
import { openFetch } from "./open-fetch.ts";

/** Each row of the table of federation contract 10, on sockets of this machine. */

let server: Server;
let port: number;
let answer: RequestListener;
let sockets: Set<Socket>;
let asked: IncomingMessage[];

const plain: RequestListener = (_, response) => void response.end("hello");

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let time: number;
let names: Record<string, string>;
let lookedUp: string[];
let close: () => void;
let fetch: Fetch;

/** Requests of a hub that asks everybody (`open`), or only the public. */
function opened(allowPrivate: boolean): Fetch {
  const resolve = (name: string) => {
    lookedUp.push(name);
    const found = names[name];
    if (found === undefined) return Promise.reject(new Error(`${name} has no address`));
    return Promise.resolve(found.split(",").map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
  };
  const clock = (): Date => new Date(time);
  const ways = openFetch({ baseUrl: "https://hub.example", allowPrivate, clock, resolve });
  close = ways.close;
  return ways.fetch;
}

beforeEach(() => {
  time = Date.parse("2026-03-01T12:00:00Z");
  names = { "far.example": "127.0.0.1", "other.example": "127.0.0.1" };
  [sockets, asked, lookedUp] = [new Set(), [], []];
  answer = plain;
  fetch = opened(true);
});
afterEach(() => close());

const at = (path: string, host = "far.example"): string => `http://${host}:${port}${path}`;
async function outcome(url: string, options?: FetchOptions, from = fetch): Promise<string> {
  try {
    const found = await from(url, options);
    return `${found.status} ${await found.text()}`;
  } catch (error) {
    return `${(error as Error).constructor.name}: ${(error as Error).message}`;
  }
}
const redirect =
  (status: number, to: (path: string) => string | undefined): RequestListener =>
  ({ url }, response) => {
    const location = to(url!);
    response.writeHead(location === undefined ? 200 : status, location === undefined ? {} : { location });
    response.end("arrived");
  };

describe("who is asked", () => {
  test.each([
    ["ftp://far.example/", "This is not an https address"],
    ["file:///etc/passwd", "This is not an https address"],
    ["nonsense", "This is not an https address"],
    ["http://far.example/", "This is not an https address"],
    ["https://10.0.0.1/", "This address is not public"],
    ["https://[::1]/", "This address is not public"],
    ["https://[::ffff:127.0.0.1]/", "This address is not public"],
    ["https://[64:ff9b::7f00:1]/", "This address is not public"],
    ["https://2130706433/", "This address is not public"],
    ["https://0x7f.1/", "This address is not public"],
    ["https://localhost/", "This address is not public"],
    ["https://localhost./", "This address is not public"],
    ["https://intranet/", "This address is not public"],
    ["https://8.8.8.8/", "This address has no name"],
    ["https://[2606:4700::1111]/", "This address has no name"],
    ["https://ann:secret@far.example/", "This address has a log-in in it"],
    ["https://ann@far.example/", "This address has a log-in in it"],
    ["https://far.example:25/", "This port is not asked"],
    ["https://far.example:1023/", "This port is not asked"],
  ])("%s is not: %s", async (url, why) => {
    expect(await outcome(url, {}, opened(false))).toBe(`RefusedAddress: ${why}`);
    expect(lookedUp).toEqual([]);
  });

  test.each([
    ["127.0.0.1", "a name that leads to this machine"],
    ["93.184.215.14,10.0.0.1", "one of whose addresses is private"],
    ["::ffff:127.0.0.1", "a mapped address"],
    ["64:ff9b::7f00:1", "an address behind NAT64"],
  ])("a name that stands for %s (%s) is refused before connecting", async (addresses) => {
    names["far.example"] = addresses;
    const strict = opened(false);
    expect(await outcome(`https://far.example:${port}/`, {}, strict)).toBe(
      "RefusedAddress: This address is not public",
    );
    expect([lookedUp, sockets.size]).toEqual([["far.example"], 0]);
  });

  test("what the operator names is, and nothing that it redirects to or that another name stands for", async () => {
    const strict = opened(false);
    const asks = (url: string, ...within: string[]) => outcome(url, { within }, strict);
    const numbers = at("/", "127.0.0.1");
    expect(await asks(numbers, "127.0.0.1")).toBe("200 hello");
    expect(await asks(numbers, "10.0.0.0/8", "127.0.0.0/8")).toBe("200 hello");
    expect(await asks(at("/"), "far.example")).toBe("200 hello");
    const refused = "RefusedAddress: This address is not public";
    expect(await asks(numbers, "10.0.0.0/8", "far.example", "fe80::/10")).toBe(refused);
    expect(await asks(numbers)).toBe(refused);
    answer = redirect(302, (path) => (path === "/" ? at("/inside", "127.0.0.1") : undefined));
    expect(await asks(at("/"), "far.example")).toBe(refused);
    expect(await asks(at("/"), "far.example", "127.0.0.1")).toBe("200 arrived");
    // A network takes in what is in it, by whatever public name it is found; that name is asked like any other.
    expect(await asks(`https://far.example:${port}/`, "127.0.0.0/8")).toBe("Error: far.example does not answer");
    expect(await asks(`https://far.example:${port}/`, "10.0.0.0/8")).toBe(refused);
  });

  test("a name that stands for another address later is looked up and checked again after a minute", async () => {
    const strict = opened(false);
    const within = ["127.0.0.0/8", "far.example"];
    const asks = () => outcome(at("/"), { within }, strict);
    expect(await asks()).toBe("200 hello");
    names["far.example"] = "169.254.169.254";
    expect(await asks()).toBe("200 hello");
    expect([lookedUp.length, sockets.size]).toEqual([1, 1]);
    time += 60_000;
    // Named itself, it may stand for whatever it wants; the connection goes there and not to the one that was kept.
    const guarded = opened(false);
    expect(await outcome(`https://far.example:${port}/`, { within: ["127.0.0.0/8"] }, guarded)).toBe(
      "RefusedAddress: This address is not public",
    );
    expect(asked.length).toBe(2);
  });

  test("a name goes on standing for what it did while nobody says what it stands for, a day at most", async () => {
    const failing = (code: string): Error => Object.assign(new Error(code), { code });
    const [away, gone] = [failing("EAI_AGAIN"), failing("ENOTFOUND")];
    const here = Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    let answer: () => typeof here = () => here;
    const [baseUrl, clock] = ["https://hub.example", () => new Date(time)];
    const ways = openFetch({ baseUrl, clock, allowPrivate: true, resolve: () => answer() });
    const sends = () => outcome(at("/"), { method: "POST", purpose: "delivery" }, ways.fetch);
    expect(await sends()).toMatch(/^200/);
    time += 60_000;
    answer = () => Promise.reject(away);
    expect(await sends()).toMatch(/^200/);
    time += 10_000;
    answer = () => new Promise(() => undefined);
    expect(await sends()).toMatch(/^200/);
    time += 10_000;
    answer = () => Promise.reject(gone);
    expect(await sends()).toMatch(/does not answer/);
    time += 24 * 3600_000;
    answer = () => Promise.reject(away);
    expect(await sends()).toMatch(/does not answer/);
    // A clock that was put back says nothing of how long ago a name was looked up.
    answer = () => here;
    expect(await sends()).toMatch(/^200/);
    time -= 3600_000;
    answer = () => Promise.reject(gone);
    expect(await sends()).toMatch(/does not answer/);
    ways.close();
  });

  test("of several answers to one look-up the connection takes one that was checked", async () => {
    let turn = 0;
    const resolve = () => Promise.resolve([{ address: turn++ === 0 ? "127.0.0.1" : "169.254.169.254", family: 4 }]);
    const ways = openFetch({
      baseUrl: "https://hub.example",
      allowPrivate: true,
      clock: () => new Date(time),
      resolve,
    });
    expect(await outcome(at("/"), {}, ways.fetch)).toBe("200 hello");
    expect([turn, asked.length]).toEqual([1, 1]);
    ways.close();
  });
});

describe("what is sent", () => {
  test("names the hub, on every hop", async () => {
    answer = redirect(302, (path) => (path === "/1" ? at("/2", "other.example") : undefined));
    await fetch(at("/1"), { headers: { "user-agent": "something else" } });
    const agent = `Hubbub/${version} (+https://hub.example)`;
    expect(asked.map(({ headers }) => headers["user-agent"])).toEqual([agent, agent]);
  });

  test("credentials stay with the server that they are for", async () => {
    answer = redirect(302, (path) => (path === "/1" ? "/2" : path === "/2" ? at("/3", "other.example") : undefined));
    await fetch(at("/1"), { headers: { Authorization: "Basic secret", cookie: "a=b", accept: "text/plain" } });
    expect(asked.map(({ headers }) => [headers.authorization, headers.cookie, headers.accept])).toEqual([
      ["Basic secret", "a=b", "text/plain"],
      ["Basic secret", "a=b", "text/plain"],
      [undefined, undefined, "text/plain"],
    ]);
  });

  test("each hop is signed for its own address, with its body", async () => {
    answer = redirect(307, (path) => (path === "/1" ? at("/2", "other.example") : undefined));
    const signed: string[] = [];
    const sign: FetchOptions["sign"] = ({ method, url, headers, body }) => {
      signed.push(`${method} ${url} ${headers["accept"]} ${body && Buffer.from(body).toString()}`);
      return Promise.resolve({ signature: `over ${new URL(url).pathname}` });
    };
    await fetch(at("/1"), { headers: { accept: "x/y" }, sign });
    await fetch(at("/3"), { method: "POST", body: "words", headers: { accept: "x/y" }, purpose: "delivery", sign });
    expect(signed).toEqual([
      `GET ${at("/1")} x/y undefined`,
      `GET ${at("/2", "other.example")} x/y undefined`,
      `POST ${at("/3")} x/y words`,
    ]);
    expect(asked.map(({ headers }) => headers["signature"])).toEqual(["over /1", "over /2", "over /3"]);
  });
});

describe("redirects", () => {
  const chain = (length: number): RequestListener =>
    redirect(302, (path) => (Number(path.slice(1)) < length ? `/${Number(path.slice(1)) + 1}` : undefined));

  test("three are followed, and the answer says where it was found", async () => {
    answer = chain(3);
    const found = await fetch(at("/0"));
    expect([found.status, found.url, await found.text()]).toEqual([200, at("/3"), "arrived"]);
    answer = chain(4);
    expect(await outcome(at("/0", "other.example"))).toBe("RefusedAddress: There are too many redirects");
    answer = redirect(302, () => "/");
    expect(await outcome(at("/"))).toBe("RefusedAddress: There are too many redirects");
  });

  test.each([
    ["http://[", "RefusedAddress: The redirect leads nowhere"],
    ["file:///etc/passwd", "RefusedAddress: This is not an https address"],
    ["http://ann:secret@far.example/", "RefusedAddress: This address has a log-in in it"],
  ])("to %s are refused", async (to, why) => {
    answer = redirect(302, (path) => (path === "/" ? to : undefined));
    expect(await outcome(at("/"))).toBe(why);
  });

  test("to this machine are refused", async () => {
    answer = redirect(302, (path) => (path === "/" ? at("/inside", "127.0.0.1") : undefined));
    expect(await outcome(at("/"), { within: ["far.example"] }, opened(false))).toBe(
      "RefusedAddress: This address is not public",
    );
    expect(asked.length).toBe(1);
  });

  test.each([301, 302, 303, 307, 308])("of a POST with %s is an answer like any other", async (status) => {
    answer = redirect(status, () => "/elsewhere");
    const found = await fetch(at("/"), { method: "POST", body: "words", purpose: "delivery" });
    expect([found.status, found.headers.get("location"), asked.length]).toEqual([status, "/elsewhere", 1]);
  });
});

describe("connections", () => {
  test("are kept, two for each host, and used by the next request", async () => {
    for (let count = 0; count < 5; count++) await fetch(at(`/${count}`));
    expect(sockets.size).toBe(1);
    await Promise.all([5, 6, 7, 8].map((count) => fetch(at(`/${count}`))));
    expect(sockets.size).toBe(4);
    const open = () => [...sockets].filter(({ destroyed }) => !destroyed).length;
    // What goes out next at once uses all of them; after a moment without that two are left.
    await Promise.all([9, 10, 11, 12].map((count) => fetch(at(`/${count}`))));
    expect([sockets.size, open()]).toEqual([4, 4]);
    await expect.poll(open).toBe(2);
  });

  test("that the other side has closed are opened again, also for what is sent", async () => {
    await fetch(at("/1"));
    answer = (request, response) => (sockets.size === 1 ? request.socket.resetAndDestroy() : plain(request, response));
    expect(await outcome(at("/2"), { method: "POST", body: "words", purpose: "delivery" })).toBe("200 ");
    expect(sockets.size).toBe(2);
  });

  test("that nobody uses for 30 s are closed", async () => {
    const begun = vi.spyOn(Socket.prototype, "connect");
    answer = (_, response) => void response.writeHead(200, { "keep-alive": "timeout=60" }).end();
    await (await fetch(at("/1"))).text();
    const [kept] = begun.mock.contexts as Socket[];
    begun.mockRestore();
    await expect.poll(() => kept!.timeout).toBe(30_000);
    // What Node says when that time is over.
    kept!.emit("timeout");
    await expect.poll(() => [...sockets].map(({ destroyed }) => destroyed)).toEqual([true]);
    await fetch(at("/2"));
    expect(sockets.size).toBe(2);
  });

  test("are closed with the hub", async () => {
    await fetch(at("/1"));
    close();
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  });

  test("a certificate that nobody vouches for is none", async () => {
    expect(await outcome(`https://far.example:${port}/`)).toBe("Error: far.example does not answer");
  });
});

describe("time", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => vi.useRealTimers());

  /** What comes of it when so much time has passed after the other side has got the request. */
  async function after(seconds: number, options: FetchOptions = {}, path = "/"): Promise<string> {
    const result = outcome(at(path), options);
    let isOver = false;
    void result.finally(() => (isOver = true));
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // The headers may still be on their way here.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(seconds * 1000);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (!isOver) return "goes on";
    return result;
  }

  test("a name, or a connection, that takes more than 5 s is given up", async () => {
    const never = new Promise<never>(() => undefined);
    const ways = openFetch({
      baseUrl: "https://hub.example",
      allowPrivate: true,
      clock: () => new Date(time),
      resolve: () => never,
    });
    const result = outcome(at("/"), {}, ways.fetch);
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(5000);
    expect(await result).toBe("Error: far.example does not answer");
    ways.close();
  });

  test("looking up the name and connecting have the 5 s together", async () => {
    const found = Promise.withResolvers<{ address: string; family: number }[]>();
    const silent = createSilent();
    const accepted = new Promise<Socket>((resolve) => silent.once("connection", resolve));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const ways = openFetch({
      baseUrl: "https://hub.example",
      allowPrivate: true,
      clock: () => new Date(time),
      resolve: () => found.promise,
    });
    const result = outcome(`https://far.example:${(silent.address() as AddressInfo).port}/`, {}, ways.fetch);
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(3000);
    found.resolve([{ address: "127.0.0.1", family: 4 }]);
    const socket = await accepted;
    socket.on("error", () => undefined);
    vi.advanceTimersByTime(2000);
    expect(await result).toBe("Error: far.example does not answer");
    ways.close();
    socket.destroy();
    silent.close();
  });

  test("headers that take more than 10 s are given up", async () => {
    answer = () => undefined;
    expect(await after(9.9)).toBe("goes on");
    asked = [];
    expect(await after(10, {}, "/other")).toBe("Error: far.example does not answer");
  });

  test.each<[FetchOptions["purpose"], number]>([
    ["document", 30],
    ["page", 30],
    ["media", 30],
  ])("a body of a %s that has not come after %i s is given up, however it trickles", async (purpose, seconds) => {
    answer = (_, response) => void response.write("a little");
    expect(await after(seconds - 0.1, { purpose: purpose! })).toBe("goes on");
    asked = [];
    expect(await after(seconds, { purpose: purpose! }, "/other")).toMatch(
      /^Error: (far.example does not answer|aborted)$/,
    );
  });

  test("what comes after the headers of an answer to a delivery holds up nobody, and ends after 20 s", async () => {
    answer = (_, response) => void response.write("a little");
    expect(await after(0, { purpose: "delivery" })).toBe("200 ");
    expect([...sockets].some(({ destroyed }) => destroyed)).toBe(false);
    vi.advanceTimersByTime(20_000);
    vi.useRealTimers();
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  });

  test("an import takes as long as whoever asks for it says", async () => {
    answer = (_, response) => void response.write("a little");
    expect(await after(3600, { purpose: "import" })).toBe("goes on");
    const signal = AbortSignal.abort();
    expect(await outcome(at("/other"), { purpose: "import", signal })).toMatch(/Error/);
  });
});

describe("size", () => {
  const sends =
    (bytes: Buffer, headers: Record<string, string> = {}): RequestListener =>
    (_, response) =>
      void response.writeHead(200, headers).end(bytes);
  const endless: RequestListener = (_, response: ServerResponse) => {
    const more = (): void =>
      void (!response.destroyed && response.write(Buffer.alloc(65_536, "a"), () => setImmediate(more)));
    more();
  };
  const mebibyte = 1024 * 1024;
  const tooLarge = "UnusableAnswer: The answer is too large";

  test("a document has at most 1 MiB, whatever it says of itself", async () => {
    answer = sends(Buffer.alloc(mebibyte, "a"));
    expect((await outcome(at("/fits"))).length).toBe(4 + mebibyte);
    answer = sends(Buffer.alloc(mebibyte + 1, "a"));
    expect(await outcome(at("/announced"))).toBe(tooLarge);
    answer = sends(Buffer.alloc(mebibyte + 1, "a"), { "transfer-encoding": "chunked" });
    expect(await outcome(at("/chunked"))).toBe(tooLarge);
    answer = (_, response) => void response.writeHead(200, { "content-length": 100 * mebibyte }).write("{");
    expect(await outcome(at("/100-MiB"))).toBe(tooLarge);
  });

  test("a document without end is given up", async () => {
    answer = endless;
    expect(await outcome(at("/"))).toBe(tooLarge);
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  });

  test("of a page without end 1 MiB is read: what it says of itself stands there", async () => {
    answer = endless;
    const found = await fetch(at("/"), { purpose: "page" });
    expect([found.status, (await found.arrayBuffer()).byteLength]).toEqual([200, mebibyte]);
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  });

  test("of an answer to what was sent the status counts, and no more than 64 KiB of it go by", async () => {
    answer = endless;
    const found = await fetch(at("/"), { method: "POST", body: "words", purpose: "delivery" });
    expect([found.status, (await found.arrayBuffer()).byteLength]).toEqual([200, 0]);
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("%s is unpacked, and counted after that", async (encoding, pack) => {
    const text = JSON.stringify({ words: Array.from({ length: 500 }, (_, at) => `word ${at * 7919}`) });
    answer = sends(pack(text), { "content-encoding": encoding });
    const found = await fetch(at("/fits"));
    expect(await found.text()).toBe(text);
    expect([...found.headers.keys()]).not.toContain("content-encoding");
    answer = sends(pack(Buffer.alloc(500_000)), { "content-encoding": encoding });
    expect(await outcome(at("/bomb"))).toBe(tooLarge);
    answer = sends(pack(Buffer.alloc(50 * mebibyte)), { "content-encoding": encoding });
    expect(await outcome(at("/media"), { purpose: "media" })).toMatch(/^\w*Error|^UnusableAnswer/);
    answer = sends(Buffer.from("not packed at all"), { "content-encoding": encoding });
    expect(await outcome(at("/broken"))).toBe("UnusableAnswer: The answer cannot be unpacked");
    answer = sends(pack(text).subarray(0, 100), { "content-encoding": encoding });
    expect(await outcome(at("/cut-off"))).toBe("UnusableAnswer: The answer cannot be unpacked");
  });

  test("what is packed in another way cannot be read", async () => {
    answer = sends(Buffer.from("x"), { "content-encoding": "zstd" });
    expect(await outcome(at("/"))).toBe("UnusableAnswer: The answer is packed in an unknown way");
  });

  test("a body that is cut off is no answer", async () => {
    answer = ({ socket }, response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setImmediate(() => socket.destroy());
    };
    expect(await outcome(at("/"))).toMatch(/^\w*Error/);
  });

  test("no body is one as well", async () => {
    answer = (_, response) => void response.writeHead(204).end();
    expect(await outcome(at("/"))).toBe("204 ");
  });
});

describe("several who ask for the same", () => {
  test("are answered by one request, if they ask in the same name", async () => {
    const waiting: ServerResponse[] = [];
    answer = (_, response) => void waiting.push(response);
    const asks = (inNameOf?: string) => fetch(at("/"), inNameOf === undefined ? {} : { inNameOf });
    const all = [asks(), asks(), asks("ann"), asks("ann"), asks("bob")];
    await expect.poll(() => waiting.length).toBe(3);
    for (const response of waiting) response.end("shared");
    expect(await Promise.all(all.map(async (one) => (await one).text()))).toEqual(Array(5).fill("shared"));
    expect(asked.length).toBe(3);
  });

  test("may leave without the others; the last one ends it", async () => {
    answer = () => undefined;
    const [first, last] = [new AbortController(), new AbortController()];
    const results = [outcome(at("/"), { signal: first.signal }), outcome(at("/"), { signal: last.signal })];
    await expect.poll(() => asked.length).toBe(1);
    first.abort();
    expect(await results[0]).toMatch(/aborted/);
    expect(asked[0]!.socket.destroyed).toBe(false);
    last.abort();
    expect(await results[1]).toMatch(/aborted/);
    await expect.poll(() => asked[0]!.socket.destroyed).toBe(true);
    // That was nobody's failure.
    answer = plain;
    expect(await outcome(at("/"))).toBe("200 hello");
  });
});

describe("what could not be had", () => {
  const status =
    (code: number): RequestListener =>
    (_, response) =>
      void response.writeHead(code).end("words");
  const minutes = (count: number): void => void (time += count * 60_000);
  const times = async (url = at("/"), options: FetchOptions = {}): Promise<number> => {
    const before = asked.length;
    await outcome(url, options);
    return asked.length - before;
  };

  test.each([404, 410])("%s is not asked for again for an hour", async (code) => {
    answer = status(code);
    expect(await outcome(at("/"))).toBe(`${code} words`);
    minutes(59);
    expect(await outcome(at("/"))).toBe(`${code} `);
    expect(asked.length).toBe(1);
    minutes(1);
    expect(await times()).toBe(1);
  });

  test.each([401, 403, 429, 500, 503])("%s is not asked for again for 5 minutes, then 10, to 6 hours", async (code) => {
    answer = status(code);
    expect(await times()).toBe(1);
    for (const wait of [5, 10, 20, 40, 80, 160, 320, 360, 360]) {
      minutes(wait - 1);
      expect(await outcome(at("/"))).toBe(`${code} `);
      minutes(1);
      expect(await times()).toBe(1);
    }
    minutes(360);
    answer = plain;
    expect(await outcome(at("/"))).toBe("200 hello");
    answer = status(code);
    await times();
    minutes(5);
    expect(await times()).toBe(1);
  });

  test("nobody who answers, and an answer that is of no use, are remembered as well", async () => {
    answer = ({ socket }) => socket.destroy();
    expect([await times(), await times()]).toEqual([1, 0]);
    expect(await outcome(at("/"))).toBe("Error: far.example does not answer");
    answer = (_, response) => void response.writeHead(200, { "content-encoding": "zstd" }).end("x");
    expect([await times(at("/2")), await times(at("/2"))]).toEqual([1, 0]);
    await expect(fetch(at("/2"))).rejects.toBeInstanceOf(UnusableAnswer);
    await expect(fetch("nonsense")).rejects.toBeInstanceOf(RefusedAddress);
  });

  test("somebody who asks by hand is let through once a minute", async () => {
    answer = status(404);
    const byHand = { byHand: true };
    expect([await times(at("/"), byHand), await times(at("/"), byHand)]).toEqual([1, 0]);
    minutes(1);
    expect([await times(), await times(at("/"), byHand), await times(at("/"), byHand)]).toEqual([0, 1, 0]);
  });

  test("is remembered of the one in whose name it was asked for, and never of what is sent", async () => {
    answer = status(404);
    const ann = { inNameOf: "ann" };
    expect([await times(), await times(at("/"), ann), await times(at("/"), ann)]).toEqual([1, 1, 0]);
    const sends: FetchOptions = { method: "POST", body: "words", purpose: "delivery" };
    expect([await times(at("/"), sends), await times(at("/"), sends)]).toEqual([1, 1]);
    expect([await times(at("/"), { purpose: "import" }), await times(at("/"), { purpose: "import" })]).toEqual([1, 1]);
  });
});
