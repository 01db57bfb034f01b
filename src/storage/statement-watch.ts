/** Is told of each statement how many milliseconds it took, and what was being done. */
export type StatementWatch = (statement: string, milliseconds: number, doing: string) => void;

/** Called when a statement begins; what it answers is called when the statement has ended. */
export type BeginStatement = (statement: string) => () => void;
