import { connect } from "node:net";
import type { Socket } from "node:net";

/** What came back, without its body. */
export type Received = { status: number; bytes: number };

const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

/**
 * One keep-alive connection that sends one request at a time. It reads no more of an answer than its status and where
 * it ends: on two cores an ordinary HTTP client takes the time that the server should have.
 */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #length = 0;
  #end: ((received: Received) => boolean) | undefined;
  #fail: ((error: Error) => void) | undefined;
  #wanted = 0;
  #chunked = false;
  #status = 0;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on("error", (error) => this.#fail?.(error));
    this.#socket.on("close", () => this.#fail?.(new Error("The server closed the connection")));
  }

  send(request: Buffer): Promise<Received> {
    this.#chunks = [];
    this.#length = this.#wanted = this.#status = 0;
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#end = (received) => {
        this.#fail = undefined;
        resolve(received);
        return true;
      };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#fail = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#wanted === 0 || this.#chunked) {
      this.#chunks.push(chunk);
      if (this.#status === 0) this.#readHead();
    }
    const complete = this.#chunked ? this.#endsWithLastChunk() : this.#wanted > 0 && this.#length >= this.#wanted;
    if (complete) this.#end?.({ status: this.#status, bytes: this.#length });
  }

  #readHead(): void {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const end = all.indexOf(headEnd);
    if (end < 0) return;
    const head = all.toString("latin1", 0, end);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#chunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head);
    this.#wanted = end + headEnd.length + Number(length ?? 0);
  }

  #endsWithLastChunk(): boolean {
    const tail = this.#chunks.at(-1)!;
    const all = tail.length >= lastChunk.length ? tail : Buffer.concat(this.#chunks);
    return all.subarray(-lastChunk.length).equals(lastChunk);
  }
}
