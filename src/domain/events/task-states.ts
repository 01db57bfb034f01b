/** What a task may be in. */
export const taskStates = ["", "NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"] as const;
/** How far somebody is with a task. */
export type TaskState = (typeof taskStates)[number];
