/** What administrators see of jobs that were given up or that nobody does, for faces, which know no jobs. */
export { dropJob, pageOfFailedJobs, retryJobs } from "../../jobs/operate.ts";
export { countResting } from "../../jobs/resting.ts";
export { findUnknown } from "../../jobs/unknown.ts";
export type { JobSummary } from "../../jobs/operate.ts";
