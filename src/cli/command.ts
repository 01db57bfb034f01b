import type { Environment } from "../config/read.ts";

/** An option of a command; `value` names what follows it, and without one it is a switch. */
type Option = { meaning: string; value?: string; required?: boolean };

/** The commands that start with one word; they are loaded when that word is used. */
export type Group = { name: string; summary: string; load: () => Promise<{ commands: readonly Command[] }> };

/** A group with its commands: one of the group's own name, or several that begin with it. */
export type WholeGroup = { name: string; summary: string; commands: readonly Command[] };

/** What the command line holds besides the command's own input. */
export type Call = {
  /** The environment, with what the command line says in its place. */
  env: Environment;
  /** Names of the settings that the command line gave. */
  given: ReadonlySet<string>;
  /** Prints an answer that is ready before the command ends. */
  answer: (value: unknown) => void;
  /** All that the operator can ask for, loaded. */
  groups: () => Promise<readonly WholeGroup[]>;
};

type Shape = {
  /** The words that call it, such as `account create`. */
  name: string;
  summary: string;
  /** Name and meaning of each argument, in order. */
  arguments?: Readonly<Record<string, string>>;
  /** Name and meaning of any number of further arguments. */
  rest?: readonly [name: string, meaning: string];
  options?: Readonly<Record<string, Option>>;
  /** Option names that are settings, such as port for HUBBUB_PORT. */
  settings?: Readonly<Record<string, string>>;
};

/** A command of the operator. Everything about it stands here; see `command`. */
export type Command = Shape & {
  /** Does the work. What it returns is the answer; nothing when it has answered already. */
  run(call: Call, input: never): Promise<unknown>;
  /** The answer for people; with --json it is printed as it is. */
  print(value: never): string;
  /** Does the answer mean that something is wrong? The exit code says so. */
  failed?(value: never): boolean;
};

/** What a command with these arguments and options is called with. */
export type InputOf<A, O> = Readonly<
  { [Name in keyof A]: string } & {
    [Name in keyof O]: O[Name] extends { value: string }
      ? O[Name] extends { required: true }
        ? string
        : string | undefined
      : boolean | undefined;
  } & { rest: readonly string[] }
>;

type Row<A, O, V> = Omit<Shape, "arguments" | "options"> & {
  arguments?: A;
  options?: O;
  run(call: Call, input: InputOf<A, O>): Promise<V>;
  print(value: NonNullable<V>): string;
  failed?(value: NonNullable<V>): boolean;
};

type Named<T> = Readonly<Record<string, T>>;
type Nothing = { [Name in never]: never };

/** One row of the table of commands, with the type of its input taken from the row itself. */
export function command<const A extends Named<string> = Nothing, const O extends Named<Option> = Nothing, V = unknown>(
  row: Row<A, O, V>,
): Command {
  return row;
}
