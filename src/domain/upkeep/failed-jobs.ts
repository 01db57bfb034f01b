/** What administrators do about jobs that were given up, for faces, which know no jobs. */
export { dropJob, pageOfFailedJobs, retryJobs } from "../../jobs/operate.ts";
export { countResting } from "../../jobs/resting.ts";
export type { JobSummary } from "../../jobs/operate.ts";
