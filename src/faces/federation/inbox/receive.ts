import type { Hub } from "../../../hub.ts";
import { letIn } from "../../../http/entrance.ts";
import { bare, failed, moved, send } from "../answers.ts";
import type { Request } from "../answers.ts";
import { jsonDocument, jsonType } from "../document.ts";
import { takeDelivery } from "./door.ts";

/** Answers what is sent to an inbox. Signatures cover the path, so that is right letter by letter. */
export async function receive(hub: Hub, request: Request, nick: string | undefined): Promise<Response> {
  const { method, path } = request;
  if (path.endsWith("/") && (method === "GET" || method === "HEAD")) return moved(request, {});
  try {
    const answer = path.endsWith("/")
      ? { status: 404, error: "Not found" }
      : await letIn(hub, "deliveries", () => takeDelivery(hub, request, nick));
    const { status, error, headers } = answer;
    if (error === undefined) return bare(request, {}, status, headers);
    return send(request, {}, jsonDocument({ error }, jsonType, status), { ...headers, "cache-control": "no-store" });
  } catch (error) {
    return failed(hub, request, {}, error);
  }
}
