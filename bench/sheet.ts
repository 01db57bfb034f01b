import { namesIn, recordOf } from "../src/record-of.ts";
import type { Engine } from "../src/storage/engine.ts";
import { progress } from "./progress.ts";
import { figures, head, linesOf, missedLine } from "./report.ts";
import type { Entry, Found, Kind, Kinds, Missed } from "./report.ts";

/** What a run finds: each thing is printed as soon as it is measured, for whoever does not wait for the end. */
export class Sheet {
  readonly #print: (line: string) => void;
  /** Only these names are measured; all of them when empty. */
  readonly #asked: string[];
  readonly #missed: Missed[] = [];
  readonly #found = recordOf(namesIn(linesOf), () => []) as Found;

  constructor(print: (line: string) => void, asked: string[]) {
    this.#print = print;
    this.#asked = asked;
  }

  isAsked(name: string): boolean {
    return this.#asked.length === 0 || this.#asked.includes(name);
  }

  /** Measures one thing, if it was asked for. */
  async measure<K extends Kind>(kind: K, engine: Engine, name: string, work: () => Promise<Kinds[K]>): Promise<void> {
    if (!this.isAsked(name)) return;
    progress(`${engine}: ${name}`);
    await this.try(engine, name, async () => this.note(kind, { engine, ...(await work()) }));
  }

  /** Does work with which others do not end when it fails: that it did is told at the end. */
  async try(engine: Engine, name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const missed = { engine, name, reason: error instanceof Error ? error.message : String(error) };
      this.#missed.push(missed);
      progress(missedLine(missed));
    }
  }

  note<K extends Kind>(kind: K, entry: Entry<K>): void {
    this.#found[kind].push(entry);
    if (kind === "results" && this.#found.results.length === 1) this.#print(head);
    for (const line of linesOf[kind](entry)) this.#print(line);
  }

  /** Says what could not be measured. Was there nothing of the kind? */
  end(): boolean {
    for (const missed of this.#missed) this.#print(missedLine(missed));
    return this.#missed.length === 0;
  }

  /** Everything for programs. */
  figures(): object {
    return figures(this.#found, this.#missed);
  }
}
