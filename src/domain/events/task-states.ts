/** What a task may be in. */
export const taskStates = ["", "NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"] as const;
export type TaskState = (typeof taskStates)[number];
