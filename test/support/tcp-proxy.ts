import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** An address that leads to one server after the other, as a virtual address or a proxy before a database does. */
export type TcpProxy = {
  port: number;
  /** Cuts all connections; new ones go to this port of the machine. */
  leadTo(port: number): void;
  close(): void;
};

export async function openTcpProxy(first: number): Promise<TcpProxy> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((here) => {
    const there = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const) {
      open.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on("error", () => undefined);
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
