import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attributes, Context, Span, TextMapGetter } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { version } from "../version.ts";
import { openProvider } from "./provider.ts";
import type { Traces } from "./traces.ts";

/** Statements of timelines are long, and known by how they begin. */
const mostTold = 1000;

const firstWord = /\w*/;

const inHeaders: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** Traces by OpenTelemetry; names of attributes are those of its semantic conventions. */
export function openTelemetry(config: Config, settings: NonNullable<Config["traces"]>, log: Log): Traces {
  const provider = openProvider(settings, log);
  const tracer = provider.getTracer("hubbub", version);
  const parents = new W3CTraceContextPropagator();
  const spans = new AsyncLocalStorage<Span>();
  const system = { "db.system.name": config.database.engine === "sqlite" ? "sqlite" : "postgresql" };
  const begin = (name: string, kind: SpanKind, attributes: Attributes, within: Context): Span =>
    tracer.startSpan(name, { kind, attributes }, within);
  const here = (): Context => {
    const span = spans.getStore();
    return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
  };
  return {
    request({ method, headers }, answer) {
      // Only the operator's own proxy may say to which trace a request belongs.
      const within = config.trustProxy ? parents.extract(ROOT_CONTEXT, headers, inHeaders) : ROOT_CONTEXT;
      const span = begin(method, SpanKind.SERVER, { "http.request.method": method }, within);
      return ending(span, async () => {
        const response = await spans.run(span, answer);
        span.setAttribute("hubbub.request_id", response.headers.get("x-request-id") ?? "");
        return answered(span, response, 500);
      });
    },
    work: ({ nameWork, named }) => ({
      nameWork(name) {
        nameWork(name);
        spans.getStore()?.updateName(name);
      },
      named(name, work) {
        const span = begin(name, SpanKind.INTERNAL, {}, ROOT_CONTEXT);
        return ending(span, () => spans.run(span, () => named(name, work)));
      },
    }),
    statements: (watch) => (statement, doing) => {
      const attributes = { ...system, "db.query.text": statement.slice(0, mostTold) };
      const span = begin(firstWord.exec(statement)![0].toLowerCase(), SpanKind.CLIENT, attributes, here());
      const end = watch(statement, doing);
      return (milliseconds) => {
        span.end();
        end(milliseconds);
      };
    },
    fetch: (fetch) => (url, options) => {
      const method = options?.method ?? "GET";
      const host = URL.parse(url)?.hostname ?? "";
      const attributes = { "http.request.method": method, "server.address": host };
      const span = begin(`${method} ${host}`, SpanKind.CLIENT, attributes, here());
      return ending(span, async () => answered(span, await fetch(url, options), 400));
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Ends the span with the work. What an error says is not told: it may quote what somebody has sent. */
function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  return Promise.try(work)
    .catch((error: unknown) => {
      const type = error instanceof Error ? error.constructor.name : "unknown";
      span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    })
    .finally(() => span.end());
}

/** An answer of such a status, or a higher one, is a failure of who has answered. */
function answered(span: Span, response: Response, failure: number): Response {
  span.setAttribute("http.response.status_code", response.status);
  if (response.status >= failure) span.setStatus({ code: SpanStatusCode.ERROR });
  return response;
}
