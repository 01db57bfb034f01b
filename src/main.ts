import { createAdaptorServer } from "@hono/node-server";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import type { Config } from "./config/config.ts";
import { appoint } from "./domain/peers/scout.ts";
import { federation } from "./faces/federation/face.ts";
import { scout } from "./faces/federation/retrieve/scout.ts";
import { signerOf } from "./faces/federation/signer.ts";
import { mastodonFace } from "./faces/mastodon/face.ts";
import { streamingDoor } from "./faces/mastodon/streaming/socket-door.ts";
import { monitoring } from "./faces/monitoring/face.ts";
import { processFacts } from "./faces/monitoring/process-facts.ts";
import { microblogFace } from "./faces/microblog/face.ts";
import { nativeFace } from "./faces/native/face.ts";
import { apiDocsPaths } from "./faces/web/pages/site/api-docs.ts";
import { authorizePaths } from "./faces/web/pages/account/authorize.ts";
import { nativePath } from "./faces/web/pages/account/authorize-with-code.ts";
import { webPages } from "./faces/web/web.ts";
import { siteActor } from "./domain/identity/channels/site-actor.ts";
import { settleAddress } from "./domain/identity/site/site-address.ts";
import { endListening } from "./domain/listeners/listeners.ts";
import { openOwnHub } from "./open-own-hub.ts";
import type { Hub, Overrides } from "./hub.ts";
import { documentResponse } from "./http/answer.ts";
import { eventsOverSockets } from "./http/events-over-sockets.ts";
import type { Face } from "./http/face.ts";
import type { Reference } from "./http/reference/reference.ts";
import { mountFaces } from "./http/serve.ts";
import { Siblings } from "./processes/siblings.ts";
import { stoppable } from "./http/stoppable.ts";
import { beginStopping } from "./http/stopping.ts";
import { jobBacklogs } from "./jobs/backlog.ts";
import { strictTransport } from "./http/strict-transport.ts";
import { upgrading, wantsDoor } from "./http/upgrades.ts";
import { version } from "./version.ts";
import { startWorkers } from "./workers.ts";
import type { Workers } from "./workers.ts";

/** The three APIs, as tables of endpoints. */
export const faces: readonly Face[] = [nativeFace, microblogFace, mastodonFace];

/** Everything that the hub answers over HTTP. */
export function createApp(hub: Hub): Hono {
  const app = new Hono();
  let document: string | undefined;
  let reference: Promise<readonly Reference[]> | undefined;
  app.get("/api/openapi.json", async () => documentResponse((document ??= await describe(hub))));
  appoint(hub, scout);
  const pages = webPages(hub, {
    reference: () => (reference ??= readReference()),
    signerOf: (arrival) => signerOf(hub, arrival),
  });
  // A few pages have addresses among those of the APIs.
  for (const path of [...authorizePaths, nativePath, ...apiDocsPaths])
    app.all(path, ({ req, env }) => pages.fetch(req.raw, env as object));
  const siblings = new Siblings(hub.config.part, () => processFacts(hub));
  app.route("/", monitoring(hub, { jobBacklogs: () => jobBacklogs(hub), processes: () => siblings.ask() }));
  mountFaces(app, hub, faces);
  // Documents for other hubs have the addresses of pages; Accept tells them apart.
  app.route("/", federation(hub));
  app.route("/", pages);
  return app;
}

/** Most hubs are never asked, so nothing of it is loaded before. */
async function readReference(): Promise<readonly Reference[]> {
  return (await import("./http/reference/reference.ts")).loadReference(faces);
}

async function describe({ config }: Hub): Promise<string> {
  const { openApi } = await import("./http/reference/openapi.ts");
  return JSON.stringify(await openApi(faces, { title: "Hubbub", version, baseUrl: config.baseUrl }));
}

/**
 * Milliseconds for which a connection stays open between two requests: longer than the two minutes that proxies keep theirs. Who
 * sends a request at the moment in which the other side closes gets an error.
 */
const longestIdle = 125_000;

export type RunningHub = { hub: Hub; url: string; close(): Promise<void> };

/** Opens the hub, starts HTTP and jobs, and answers when requests are taken. `close` undoes it in reverse order. */
export async function startHub(config: Config, overrides: Overrides = {}): Promise<RunningHub> {
  return serveHub(await openOwnHub(config, overrides));
}

/** The same with a hub that is open already; it is closed with the rest, also when it cannot be served. */
export async function serveHub(hub: Hub): Promise<RunningHub> {
  // HTTP/1.0, as health checks of proxies speak it, names no host: then it is the hub's own.
  const server = createAdaptorServer({
    fetch: answering(hub),
    hostname: hub.config.host,
    serverOptions: { shouldUpgradeCallback: (request) => wantsDoor(streamingDoor, request) },
  }) as Server;
  server.keepAliveTimeout = longestIdle;
  server.on("upgrade", upgrading(hub, streamingDoor));
  server.on("connection", () => hub.cameIn());
  const stop = stoppable(server);
  let workers: Workers | undefined;
  const close = async (): Promise<void> => {
    beginStopping(hub);
    // Jobs stop at once: what is left of the time belongs to those who wait for an answer.
    await Promise.all([endListening(hub), stop(), workers?.stop()]);
    await hub.close();
  };
  try {
    await settleAddress(hub);
    await siteActor(hub);
    workers = await startWorkers(hub);
    await listen(server, hub.config);
  } catch (error) {
    await close();
    throw error;
  }
  return { hub, url: urlOf(server), close };
}

function answering(hub: Hub): Hono["fetch"] {
  const app = createApp(hub);
  const { traces } = hub;
  const answer: Hono["fetch"] = traces
    ? (...request) => traces.request(request[0], async () => app.fetch(...request))
    : app.fetch;
  const fetch: Hono["fetch"] = (...request) => hub.inOrder(() => answer(...request));
  return eventsOverSockets(hub, hub.config.baseUrl.startsWith("https:") ? strictTransport(fetch) : fetch);
}

/** Linux shares connections out among processes that each listen at the port; elsewhere they take them from one socket. */
function listen(server: Server, { listen: { address, port }, part }: Config): Promise<void> {
  const reusePort = part > 0 && port > 0 && process.platform === "linux";
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: address, reusePort }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
