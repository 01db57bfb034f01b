import { version } from "../../version.ts";
import { writeMetric } from "./exposition.ts";
import type { Metric } from "./exposition.ts";
import type { HubFacts } from "./hub-facts.ts";
import type { ProcessFacts } from "./process-facts.ts";

/** What each process measures of itself. Names stay: boards and alarms of operators have them. */
export const processMetrics: readonly Metric<ProcessFacts>[] = [
  {
    name: "hubbub_requests_total",
    kind: "counter",
    help: "Requests that were answered, by the row that answered them.",
    values: ({ requests }) =>
      requests.flatMap(({ face, method, row, statuses }) =>
        statuses.map(([status, count]) => [{ face, method, row, status }, count] as const),
      ),
  },
  {
    name: "hubbub_request_seconds",
    kind: "histogram",
    help: "How long requests took until their answer began.",
    values: ({ requests }) => requests.map(({ face, method, row, durations }) => [{ face, method, row }, durations]),
  },
  {
    name: "hubbub_overload_refused_total",
    kind: "counter",
    help: "Requests, and deliveries of other hubs, that were refused with 503 because more was asked than the process could do.",
    values: ({ refused }) => refused.map(([asked, count]) => [{ asked }, count]),
  },
  {
    name: "hubbub_statement_seconds",
    kind: "histogram",
    help: "How long statements on the database took; on PostgreSQL with the way there.",
    values: ({ statements }) => [[{}, statements]],
  },
  {
    name: "hubbub_slow_statements_total",
    kind: "counter",
    help: "Statements that took longer than HUBBUB_SLOW_STATEMENT.",
    values: ({ slowStatements }) => [[{}, slowStatements]],
  },
  {
    name: "hubbub_replica_reads_total",
    kind: "counter",
    help: "What strangers asked and might have been a second old, by where it was read in the end: replica, or primary when that was too far behind, away or knew of nothing.",
    values: ({ replicaReads }) => replicaReads.map(([from, count]) => [{ from }, count]),
  },
  {
    name: "hubbub_database_connections",
    kind: "gauge",
    help: "Connections to the database, and those of them that nobody uses.",
    values: ({ pool }) => [
      [{ state: "open" }, pool.open],
      [{ state: "idle" }, pool.idle],
    ],
  },
  {
    name: "hubbub_database_waiting",
    kind: "gauge",
    help: "How many wait for a connection or for their turn.",
    values: ({ pool }) => [[{}, pool.waiting]],
  },
  {
    name: "hubbub_jobs_total",
    kind: "counter",
    help: "Attempts at jobs, by how they ended: done, failed (to be tried again) or dead (given up).",
    values: ({ jobs }) =>
      jobs.flatMap(({ job, ends }) => Object.entries(ends).map(([end, count]) => [{ job, end }, count] as const)),
  },
  {
    name: "hubbub_job_seconds",
    kind: "histogram",
    help: "How long attempts at jobs took.",
    values: ({ jobs }) => jobs.map(({ job, durations }) => [{ job }, durations]),
  },
  {
    name: "hubbub_queue_total",
    kind: "counter",
    help: "Attempts at deliveries to other hubs (outgoing) and at what came from them (arrivals), by how they ended.",
    values: ({ queues }) =>
      queues.flatMap(({ queue, ends }) => ends.map(([end, count]) => [{ queue, end }, count] as const)),
  },
  {
    name: "hubbub_s3_request_seconds",
    kind: "histogram",
    help: "How long requests to S3 took until their answer began, for files and for backups.",
    values: ({ s3 }) => s3.map(({ use, durations }) => [{ use }, durations]),
  },
  {
    name: "hubbub_s3_failures_total",
    kind: "counter",
    help: "Requests to S3 that were not answered, or not as they should be; most are tried again.",
    values: ({ s3 }) => s3.map(({ use, failures }) => [{ use }, failures]),
  },
  {
    name: "hubbub_streams",
    kind: "gauge",
    help: "Open pages and applications that listen to what happens.",
    values: ({ streams }) => [[{}, streams]],
  },
  {
    name: "hubbub_event_loop_active_seconds_total",
    kind: "counter",
    help: "How long the event loop has been busy.",
    values: ({ loop }) => [[{}, loop.activeSeconds]],
  },
  {
    name: "hubbub_event_loop_delay_seconds",
    kind: "gauge",
    help: "How late the event loop came since it was asked last, by quantile; measured in steps of 20 ms.",
    values: ({ loop }) => loop.delays.map(([quantile, seconds]) => [{ quantile }, seconds]),
  },
  {
    name: "process_resident_memory_bytes",
    kind: "gauge",
    help: "Memory of the process.",
    values: ({ memory }) => [[{}, memory.rss]],
  },
  {
    name: "nodejs_heap_size_used_bytes",
    kind: "gauge",
    help: "Memory that values of the program take.",
    values: ({ memory }) => [[{}, memory.heapUsed]],
  },
  {
    name: "nodejs_external_memory_bytes",
    kind: "gauge",
    help: "Memory of buffers and the like.",
    values: ({ memory }) => [[{}, memory.external]],
  },
  {
    name: "process_cpu_seconds_total",
    kind: "counter",
    help: "Time of processors that the process has had.",
    values: ({ cpuSeconds }) => [[{}, cpuSeconds]],
  },
  {
    name: "process_start_time_seconds",
    kind: "gauge",
    help: "When the process began.",
    values: ({ startedSeconds }) => [[{}, startedSeconds]],
  },
];

/** What the database says, once for all processes. */
export const hubMetrics: readonly Metric<HubFacts>[] = [
  {
    name: "hubbub_info",
    kind: "gauge",
    help: "Always 1; its labels say what runs.",
    values: ({ engine }) => [[{ version, engine, node: process.versions.node }, 1]],
  },
  {
    name: "hubbub_database_up",
    kind: "gauge",
    help: "1 when the database answers, else 0.",
    values: ({ answers }) => [[{}, Number(answers)]],
  },
  {
    name: "hubbub_replica_seconds",
    kind: "gauge",
    help: "How old the replica is at most, just now; absent without one, and while it does not answer.",
    values: ({ replicaSeconds }) => (replicaSeconds === undefined ? [] : [[{}, replicaSeconds]]),
  },
  {
    name: "hubbub_jobs_due",
    kind: "gauge",
    help: "Jobs that are due and not done, up to 10,000.",
    values: ({ jobs }) => jobs.map(({ job, due }) => [{ job }, due]),
  },
  {
    name: "hubbub_jobs_oldest_due_seconds",
    kind: "gauge",
    help: "For how long the oldest of them has been due.",
    values: ({ jobs }) => jobs.map(({ job, oldest }) => [{ job }, oldest]),
  },
  {
    name: "hubbub_jobs_dead",
    kind: "gauge",
    help: "Jobs that were given up; `hubbub jobs list --dead` shows them.",
    values: ({ jobs }) => jobs.map(({ job, dead }) => [{ job }, dead]),
  },
  {
    name: "hubbub_queue_due",
    kind: "gauge",
    help: "Deliveries to other hubs (outgoing) and activities from them (arrivals) that are due and not done, up to 100,000.",
    values: ({ queues }) => queues.map(({ queue, due }) => [{ queue }, due]),
  },
  {
    name: "hubbub_queue_oldest_due_seconds",
    kind: "gauge",
    help: "For how long the oldest of them has been due.",
    values: ({ queues }) => queues.map(({ queue, oldest }) => [{ queue }, oldest]),
  },
  {
    name: "hubbub_backup_last_timestamp_seconds",
    kind: "gauge",
    help: "When the last backup was begun that came to its end.",
    values: ({ lastBackup }) => (lastBackup === undefined ? [] : [[{}, lastBackup]]),
  },
];

/** All of it, by the processes of the hub: they are told apart where there are several. */
export function writeMetrics(processes: readonly { part: number; value: ProcessFacts }[], hub: HubFacts): string {
  const told = processes.map(({ part, value }) => [part > 0 ? { process: part } : {}, value] as const);
  return [
    ...processMetrics.map((metric) => writeMetric(metric, told)),
    ...hubMetrics.map((metric) => writeMetric(metric, [[{}, hub]])),
  ].join("");
}
