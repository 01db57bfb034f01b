import { hostname } from "node:os";
import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { version } from "../version.ts";

/** Milliseconds that one sending may take, also when the process ends. */
const longest = 3000;

/** Milliseconds until a program that takes no traces is spoken of again. */
const silence = 60_000;

/** Makes traces of so many of a hundred requests and jobs, and sends them by OTLP over HTTP. */
export function openProvider({ url, share }: NonNullable<Config["traces"]>, log: Log): TracerProvider {
  return new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "hubbub",
      "service.version": version,
      "service.instance.id": `${hostname()}:${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share / 100) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: outspoken(new OTLPTraceExporter({ url, timeoutMillis: longest }), log),
        exportTimeoutMillis: longest,
      }),
    ],
  });
}

/** Says in the log when traces are not taken; they are not kept for later. */
function outspoken(exporter: SpanExporter, log: Log): SpanExporter {
  let spoken = -Infinity;
  return {
    export: (spans, then) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS && performance.now() - spoken > silence) {
          spoken = performance.now();
          log.warning("Traces are not taken at HUBBUB_TRACES_URL: {error}", { error: result.error?.message });
        }
        then(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
