import { setTimeout as sleep } from "node:timers/promises";

/** Requests at a set rate, whatever becomes of those before: people and servers do not wait for each other. */

export type Order = {
  name: string;
  /** So many begin in a second. */
  rate: number;
  /** Makes the request with this number; answers nothing where no answer came. */
  send: (number: number) => Promise<Response | undefined>;
};

/** What became of a request; moments in milliseconds. */
export type Sent = { name: string; from: number; to: number; outcome: Outcome };

/**
 * `busy` is what a hub may say that cannot do it now: 503 with the time after which to ask again. `broken` is a connection that ended without an
 * answer.
 */
export type Outcome = "taken" | "busy" | "broken" | `wrong ${number}`;

export type Load = {
  sent: Sent[];
  /** Left out, because too many were under way. */ leftOut: number;
  end(): Promise<void>;
};

const mostUnderWay = 400;

export function startLoad(orders: readonly Order[]): Load {
  let isOver = false;
  const underWay = new Set<Promise<void>>();
  const load: Load = {
    sent: [],
    leftOut: 0,
    async end() {
      isOver = true;
      await Promise.all(loops);
      await Promise.all(underWay);
    },
  };
  const one = async ({ name, send }: Order, number: number): Promise<void> => {
    const from = performance.now();
    const outcome = outcomeOf(await send(number));
    load.sent.push({ name, from, to: performance.now(), outcome });
  };
  const loop = async (order: Order): Promise<void> => {
    const began = performance.now();
    for (let number = 0; !isOver; number++) {
      await sleep(Math.max(0, began + (number * 1000) / order.rate - performance.now()));
      if (underWay.size >= mostUnderWay) load.leftOut++;
      else {
        const sending = one(order, number).finally(() => underWay.delete(sending));
        underWay.add(sending);
      }
    }
  };
  const loops = orders.map(loop);
  return load;
}

function outcomeOf(answer: Response | undefined): Outcome {
  if (!answer) return "broken";
  if (answer.ok) return "taken";
  return answer.status === 503 && answer.headers.has("retry-after") ? "busy" : `wrong ${answer.status}`;
}
