import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { readerOf } from "../../../domain/photos/signed-addresses.ts";
import type { PageContext } from "../page.ts";

/** Who asks for a file: whoever its address is signed for (mastodon contract 11.5), else the visitor. */
export async function askedBy({ hub, observer, query }: PageContext, name: string): Promise<Observer> {
  const token = query.text("t");
  return (token === "" ? undefined : await readerOf(hub, name, token)) ?? observer;
}
