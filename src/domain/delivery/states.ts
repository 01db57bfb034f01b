/** Until when a delivery waits whose host is only probed: for good, or until the host answers. */
export const parked = "9999-12-31 00:00:00";
