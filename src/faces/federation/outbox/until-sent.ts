const tries = 5;

/**
 * Sends what a message says as it stands: somebody may change it while it is read, and then it is read again. The attempt answers
 * whether it is sent, or nothing is to be.
 */
export async function untilSent(message: number, attempt: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < tries; turn++) if (await attempt()) return;
  throw new Error(`Message ${message} changes all the time`);
}
