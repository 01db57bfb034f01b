import { createServer } from "node:net";
import type { Config } from "../../config/config.ts";
import { failed, ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Can others reach the hub under its address, and can it listen? */
export async function checkAddress(config: Config): Promise<Finding[]> {
  return [checkBaseUrl(config.baseUrl), await checkPort(config)];
}

function checkBaseUrl(baseUrl: string): Finding {
  const { protocol, hostname } = new URL(baseUrl);
  if (isLocal(hostname)) {
    return warning(
      "base URL",
      `${baseUrl} works on this machine only`,
      "Set HUBBUB_BASE_URL before the first start of a hub that others reach.",
    );
  }
  if (protocol !== "https:") {
    return failed(
      "base URL",
      `${baseUrl} is not encrypted`,
      "Put a web server with a certificate in front and use https in HUBBUB_BASE_URL.",
    );
  }
  return ok("base URL", baseUrl);
}

/** Is it a name for this machine? */
export function isLocal(host: string): boolean {
  return /^(localhost|.*\.localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(host);
}

async function checkPort({ listen, baseUrl }: Config): Promise<Finding> {
  const where = `${listen.address}:${listen.port}`;
  const error = await tryToListen(listen);
  if (!error) return ok("port", `${where} is free`);
  if (error.code === "EADDRINUSE" && (await isHub(listen))) return ok("port", `a hub answers at ${where}`);
  const advice =
    error.code === "EADDRINUSE"
      ? "Stop the program that uses it, or choose another HUBBUB_PORT."
      : `Choose another HUBBUB_PORT or HUBBUB_LISTEN; ${baseUrl} can still lead there through a web server.`;
  return failed("port", `${where}: ${error.message}`, advice);
}

function tryToListen({ address, port }: Config["listen"]): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen(port, address, () => server.close(() => resolve(undefined)));
  });
}

async function isHub({ address, port }: Config["listen"]): Promise<boolean> {
  const host = address.includes(":") ? `[${address}]` : address;
  try {
    const answer = await fetch(`http://${host}:${port}/api/openapi.json`, { signal: AbortSignal.timeout(10_000) });
    const document = (await answer.json()) as { info?: { title?: string } };
    return document.info?.title === "Hubbub";
  } catch {
    return false;
  }
}
