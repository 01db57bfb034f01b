import { hash } from "node:crypto";
import { lookup } from "node:dns/promises";
import { request } from "node:https";
import type { IncomingMessage } from "node:http";
import { connect } from "node:tls";
import type { Config } from "../../config/config.ts";
import { siteIds } from "../../faces/federation/ids.ts";
import { faults } from "../../faces/federation/signatures/faults.ts";
import { bareHost, isPrivateHost } from "../../fetch/private-hosts.ts";
import { isLocal } from "./address.ts";
import { compareClocks } from "./database.ts";
import { ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

const longest = 10_000;
const day = 24 * 3600_000;
const fewDays = 10;

/** Of a test that has made its own authority of certificates. */
type Trust = { ca?: Buffer };

/** What others find, as far as it can be seen from this machine; nothing where the hub is for this machine alone, or not encrypted. */
export async function checkOutside(config: Config): Promise<Finding[]> {
  const { protocol, hostname } = new URL(config.baseUrl);
  return protocol !== "https:" || isLocal(hostname) ? [] : lookFromOutside(config);
}

/** The way to the hub that others go: its name, its certificate, the documents that they read first, its clock, the name by which it is asked. */
export async function lookFromOutside(config: Config, trust: Trust = {}): Promise<Finding[]> {
  const host = bareHost(new URL(config.baseUrl).hostname);
  const addresses = (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
  const name = checkName(host, addresses);
  if (addresses.length === 0) return [name];
  const documents = await checkDocuments(config, trust);
  return [name, await checkCertificate(config.baseUrl, trust), ...documents, ...(await checkHost(config, trust))];
}

function checkName(host: string, addresses: readonly string[]): Finding {
  const check = "name";
  if (addresses.length === 0)
    return warning(check, `${host} is not found`, "Have whoever keeps your names add an A or AAAA record for it.");
  const found = `${host} is ${addresses.join(", ")}`;
  if (!addresses.every((address) => isPrivateHost(address))) return ok(check, found);
  return warning(check, `${found}: not public`, "Fine if others find another address than this machine does.");
}

async function checkCertificate(baseUrl: string, trust: Trust): Promise<Finding> {
  const check = "certificate";
  const found = await certificateOf(baseUrl, trust);
  if (typeof found === "string") {
    const advice = "Other hubs refuse such a connection: see to the certificate of the web server in front.";
    return warning(check, found, advice);
  }
  const days = Math.floor((found.until - Date.now()) / day);
  if (days >= fewDays) return ok(check, `holds for ${days} days`);
  return warning(check, `holds for ${days} days`, "See why it was not renewed.");
}

/** Until when it holds, in milliseconds; or what is wrong. */
function certificateOf(baseUrl: string, trust: Trust): Promise<{ until: number } | string> {
  const { hostname, port } = new URL(baseUrl);
  const host = bareHost(hostname);
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 443), servername: host, timeout: longest, ...trust });
    const end = (result: { until: number } | string): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once("secureConnect", () => end({ until: Date.parse(socket.getPeerCertificate().valid_to) }));
    socket.once("timeout", () => end("nobody answers"));
    socket.once("error", (error: Error) => end(error.message));
  });
}

async function checkDocuments(config: Config, trust: Trust): Promise<Finding[]> {
  const { actor, address } = siteIds({ config });
  const finger = `${config.baseUrl}/.well-known/webfinger?resource=${encodeURIComponent(`acct:${address}`)}`;
  const asking = (accept: string): Asking => ({ headers: { accept } });
  const read = await Promise.all([
    ask(actor, asking("application/activity+json"), trust),
    ask(finger, asking("*/*"), trust),
  ]);
  const [document, found] = read;
  const date = Date.parse(document.date);
  return [
    judge("actor", actor, document, (body) => body.id === actor),
    judge("WebFinger", finger, found, (body) => body.subject === `acct:${address}`),
    ...(Number.isNaN(date) ? [] : [compareClocks("clock of the web server", date / 1000, Date.now() / 1000)]),
  ];
}

/**
 * Others sign the name of the host that they ask for. Nobody has made this signature, and before its key the hub looks whether it was
 * asked for by its own name; nothing where it does not answer as a hub does.
 */
async function checkHost(config: Config, trust: Trust): Promise<Finding[]> {
  const check = "header Host";
  const { actor, inbox } = siteIds({ config });
  const content = JSON.stringify({ type: "Like", actor, object: actor });
  const covered = "(request-target) host date digest";
  const headers = {
    "content-type": "application/activity+json",
    date: new Date().toUTCString(),
    digest: `SHA-256=${hash("sha256", content, "base64")}`,
    signature: `keyId="${actor}#none",headers="${covered}",signature="${Buffer.from("none").toString("base64")}"`,
  };
  const { body } = await ask(inbox, { headers, content }, trust);
  if (body.error === faults.wrong_host) {
    const found = `the web server in front asks this hub by another name than ${config.host}`;
    const advice =
      "No signature of other hubs holds: have it hand on the header Host, or name that host in X-Forwarded-Host, with HUBBUB_TRUST_PROXY=on.";
    return [warning(check, found, advice)];
  }
  return Object.values<unknown>(faults).includes(body.error) ? [ok(check, `is that of ${config.host}`)] : [];
}

type Asking = { headers: Record<string, string>; content?: string };

type Answered = { said: string; date: string; body: { id?: unknown; subject?: unknown; error?: unknown } };

function judge(check: string, url: string, { said, body }: Answered, isRight: (body: Answered["body"]) => boolean) {
  if (isRight(body)) return ok(check, `${url} answers`);
  const advice = "Is `serve` running, and does the web server in front hand on every path, and the header Accept?";
  return warning(check, `${url}: ${said}`, advice);
}

/** What is at an address; without anything in it where that is no JSON. */
function ask(url: string, { headers, content }: Asking, trust: Trust): Promise<Answered> {
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ said: error.message, date: "", body: {} });
    const signal = AbortSignal.timeout(longest);
    request(
      url,
      { method: content === undefined ? "GET" : "POST", headers, signal, agent: false, ...trust },
      (answer) => void read(answer).then(resolve, fail),
    )
      .once("error", fail)
      .end(content);
  });
}

const largest = 64 * 1024;

async function read(answer: IncomingMessage): Promise<Answered> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    text += chunk;
    if (text.length > largest) break;
  }
  return {
    said: `answers ${answer.statusCode} with something else`,
    date: answer.headers.date ?? "",
    body: bodyOf(text),
  };
}

function bodyOf(text: string): Answered["body"] {
  try {
    return Object(JSON.parse(text)) as Answered["body"];
  } catch {
    return {};
  }
}
