import { closeSync, fstatSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** How often (milliseconds) to look whether the file is still where it was. */
const lookAgain = 1000;

/**
 * The file that the log goes to. Whoever rotates logs moves it away, and the next line goes into a new one: no signal and no word to
 * the hub is needed, and several processes may write to the same file. What cannot be written goes to standard error.
 */
export class LogFile {
  readonly #path: string;
  #file: number | undefined;
  #looked = -Infinity;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#open();
  }

  write(line: string): void {
    try {
      if (performance.now() - this.#looked > lookAgain) this.#look();
      writeSync(this.#file ?? this.#open(), line);
    } catch {
      process.stderr.write(line);
    }
  }

  /** Lines of several processes go to the end, each as a whole. */
  #open(): number {
    this.#looked = performance.now();
    return (this.#file = openSync(this.#path, "a", 0o600));
  }

  #look(): void {
    this.#looked = performance.now();
    if (this.#file === undefined) return;
    const [ours, there] = [fstatSync(this.#file), statSync(this.#path, { throwIfNoEntry: false })];
    if (there?.ino === ours.ino && there.dev === ours.dev) return;
    closeSync(this.#file);
    this.#file = undefined;
  }
}
