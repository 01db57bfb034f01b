/** Until when a delivery waits whose host is only probed: for good, or until the host answers. */
export const parked = "9999-12-31 00:00:00";

/** What goes first: answers, then what many get, then whatever goes to hosts that did not answer the last time. */
export const [urgent, bulk, doubtful] = [0, 1, 2] as const;
