import { bounds } from "../../counters.ts";
import type { Measured } from "./process-facts.ts";

export type Labels = Readonly<Record<string, string | number>>;

type Values = { counter: number; gauge: number; histogram: Measured };

/** One thing that is measured: what it is called, what it means, and where its values come from. */
type MetricOf<Kind extends keyof Values, Facts> = {
  name: string;
  kind: Kind;
  help: string;
  values: (facts: Facts) => Iterable<readonly [labels: Labels, value: Values[Kind]]>;
};

export type Metric<Facts> = MetricOf<"counter", Facts> | MetricOf<"gauge", Facts> | MetricOf<"histogram", Facts>;

/** Writes one metric of all who have values for it, each with the labels that tell them apart. */
export function writeMetric<Facts>(metric: Metric<Facts>, all: readonly (readonly [Labels, Facts])[]): string {
  const { name, kind, help } = metric;
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`];
  for (const [own, facts] of all) {
    if (metric.kind === "histogram")
      for (const [labels, value] of metric.values(facts)) lines.push(...histogram(name, { ...labels, ...own }, value));
    else for (const [labels, value] of metric.values(facts)) lines.push(line(name, { ...labels, ...own }, value));
  }
  return `${lines.join("\n")}\n`;
}

/** Buckets count all that lies below them, too. */
function histogram(name: string, labels: Labels, { count, seconds, within }: Measured): string[] {
  let below = 0;
  const buckets = bounds.map((bound, place) =>
    line(`${name}_bucket`, { ...labels, le: bound }, (below += within[place]!)),
  );
  return [
    ...buckets,
    line(`${name}_bucket`, { ...labels, le: "+Inf" }, count),
    line(`${name}_sum`, labels, seconds),
    line(`${name}_count`, labels, count),
  ];
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
