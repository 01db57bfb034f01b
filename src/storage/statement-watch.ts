/** Is told of each statement that begins, and of what is being done; what it answers is told how many milliseconds it took. */
export type StatementWatch = (statement: string, doing: string) => (milliseconds: number) => void;

/** Called when a statement begins; what it answers is called when the statement has ended. */
export type BeginStatement = (statement: string) => () => void;
