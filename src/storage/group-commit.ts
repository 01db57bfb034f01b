import { DatabaseAway, OutOfOrder } from "../errors.ts";

/** Executes one statement on the handle that writes. */
type Execute = (statement: string) => void;

type Member = { resolve: () => void; reject: (error: unknown) => void };

/** No transaction waits for more than this many others, nor longer than this for them to begin. */
const mostMembers = 32;
const longestMilliseconds = 10;

/**
 * Transactions that follow one another on SQLite share a commit, because bringing one to the disk takes longer than most
 * of them work, and everybody else stands still meanwhile. Each is a savepoint, so one that fails undoes nothing of the
 * others; and each is told that it is done only when all of them are on disk.
 */
export class GroupCommit {
  readonly #execute: Execute;
  #isOpen = false;
  #opened = 0;
  #members: Member[] = [];

  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /** Begins a transaction; its turn has come. */
  begin(): void {
    if (!this.#isOpen) {
      this.#execute("begin immediate");
      this.#isOpen = true;
      this.#opened = performance.now();
    }
    this.#execute("savepoint member");
  }

  /** Ends a transaction. The answer comes when it is on disk; with others waiting for their turn that is after theirs. */
  end(how: "commit" | "rollback", othersWait: boolean): Promise<void> {
    try {
      if (how === "rollback") this.#execute("rollback to member");
      this.#execute("release member");
    } catch (error) {
      // SQLite itself has rolled everything back, as it does when the disk is full; the others can try again.
      this.#abandon(error instanceof OutOfOrder ? error : new DatabaseAway(error));
      if (how === "commit") throw error;
      // Whoever rolls back has the reason for it.
      return Promise.resolve();
    }
    const settled =
      how === "commit"
        ? new Promise<void>((resolve, reject) => this.#members.push({ resolve, reject }))
        : Promise.resolve();
    if (!othersWait || this.#members.length >= mostMembers || performance.now() - this.#opened > longestMilliseconds)
      this.close();
    return settled;
  }

  /** Brings to the disk what has ended; called in turn, and harmless when there is nothing. */
  close(): void {
    if (!this.#isOpen) return;
    try {
      this.#execute("commit");
    } catch (error) {
      this.#abandon(error);
      return;
    }
    this.#isOpen = false;
    for (const { resolve } of this.#members.splice(0)) resolve();
  }

  #abandon(error: unknown): void {
    this.#isOpen = false;
    try {
      this.#execute("rollback");
    } catch {
      // There is nothing left to undo.
    }
    for (const { reject } of this.#members.splice(0)) reject(error);
  }
}
