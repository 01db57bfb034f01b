/** What a task may be in (native contract 2.15). */
export const taskStates = ["", "NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"] as const;
export type TaskState = (typeof taskStates)[number];
