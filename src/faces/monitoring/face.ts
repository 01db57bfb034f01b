import { Hono } from "hono";
import type { Hub } from "../../hub.ts";
import { arrivalOf, targetOf } from "../../http/arrival.ts";
import type { Arrival } from "../../http/arrival.ts";
import { endRequest, requestIds } from "../../http/request-log.ts";
import { hubFacts } from "./hub-facts.ts";
import type { JobBacklogs } from "./hub-facts.ts";
import type { ProcessFacts } from "./process-facts.ts";
import { isReady, readiness } from "./ready.ts";
import { mayReadMetrics } from "./reader.ts";

/** Measurements in the text form of Prometheus. */
const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** What this face cannot know by itself: the queue of jobs, and the other processes of the hub. */
type Others = { jobBacklogs: JobBacklogs; processes: () => Promise<readonly { part: number; value: ProcessFacts }[]> };

/** What the programs of an operator ask: does it live, may it be sent requests, what does it measure. */
export function monitoring(hub: Hub, { jobBacklogs, processes }: Others): Hono {
  const app = new Hono();
  const idOf = requestIds(hub);
  const at = (path: string, answer: (arrival: Arrival) => Promise<Response> | Response): void => {
    app.on(["GET", "HEAD"], path, async (context) => {
      const arrival = arrivalOf(context);
      const began = performance.now();
      const { method, headers } = arrival.request;
      const request = { id: idOf(headers.get("x-request-id")), method, path: targetOf(arrival).path };
      hub.nameWork(`${method} ${path} (monitoring)`);
      const response = await answer(arrival);
      response.headers.set("x-request-id", request.id);
      endRequest(hub, request, { face: "monitoring", row: path }, response.status, performance.now() - began);
      return response;
    });
  };
  at("/health", () => answerWith("ok\n", 200));
  at("/ready", async () => {
    const found = await readiness(hub);
    const [ready, headers] = [isReady(found), { "content-type": "application/json; charset=utf-8" }];
    const more: Record<string, string> = ready ? headers : { ...headers, "retry-after": "5" };
    return answerWith(`${JSON.stringify({ ready, ...found })}\n`, ready ? 200 : 503, more);
  });
  at("/metrics", async (arrival) => {
    // Whoever may not read it learns no more than of any other address.
    if (!mayReadMetrics(hub, arrival)) return answerWith("Not found\n", 404);
    const { writeMetrics } = await import("./metrics.ts");
    const [all, facts] = await Promise.all([processes(), hubFacts(hub, jobBacklogs)]);
    return answerWith(writeMetrics(all, facts), 200, { "content-type": expositionType });
  });
  return app;
}

function answerWith(text: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: {
      "cache-control": "no-store",
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}
