import { Readable } from "node:stream";
import { missing } from "../../errors.ts";
import type { FetchOptions } from "../../fetch/fetch.ts";
import type { Hub } from "../../hub.ts";
import type { Place, PlacedFile } from "../../storage/places/place.ts";
import { partialEnding } from "../../storage/whole-file.ts";

/** What a WebDAV server is told (RFC 4918): six verbs with a password, so that no client library is needed. */

type Account = { address: string; login: string; password: string };
type Ask = (
  method: string,
  name: string,
  answers: readonly number[],
  more?: Pick<FetchOptions, "headers" | "stream">,
) => Promise<Response>;

/** A folder on a WebDAV server, made where it is not there yet; without folders in it. */
export function webdavPlace(hub: Hub, account: Account, signal: AbortSignal): Place {
  const folder = new URL(account.address.replace(/\/*$/, "/"));
  const addressOf = (name: string): string => new URL(encodeURIComponent(name), folder).href;
  const authorization = `Basic ${Buffer.from(`${account.login}:${account.password}`).toString("base64")}`;
  const ask: Ask = async (method, name, answers, { headers, stream } = {}) => {
    const answer = await hub.fetch(name === "" ? folder.href : addressOf(name), {
      method,
      headers: { authorization, ...headers },
      ...(stream && { stream }),
      purpose: "archive",
      within: hub.config.importFrom,
      signal,
    });
    if (answers.includes(answer.status)) return answer;
    await answer.body?.cancel();
    throw new Error(`the WebDAV server answers ${answer.status} to ${method}`);
  };
  const end = async (answer: Promise<Response>): Promise<void> => (await answer).body?.cancel();
  const remove = (name: string): Promise<void> => end(ask("DELETE", name, [200, 202, 204, 404]));
  const list = (prefix: string): AsyncGenerator<PlacedFile> => listFolder(ask, folder, prefix);
  return {
    async put(name, bytes) {
      // Most servers want to know the length, which an archive has at its end.
      const staged = await hub.blobs.stage(bytes, Infinity);
      try {
        await makeFolder(ask);
        const partial = `${name}${partialEnding}`;
        const headers = { "content-length": String(staged.size), "content-type": "application/octet-stream" };
        await end(ask("PUT", partial, [200, 201, 204], { headers, stream: () => hub.blobs.read(staged) }));
        const destination = { destination: addressOf(name), overwrite: "T" };
        await end(ask("MOVE", partial, [200, 201, 204], { headers: destination }));
      } finally {
        await hub.blobs.remove(staged);
      }
    },
    async read(name) {
      const answer = await ask("GET", name, [200, 404]);
      if (answer.status === 404) throw missing("File");
      return answer.body ? Readable.fromWeb(answer.body) : Readable.from([]);
    },
    list,
    remove,
    async sweep(prefix, before) {
      for await (const { name, since } of list(prefix))
        if (name.endsWith(partialEnding) && since < before) await remove(name);
    },
  };
}

/** A folder that is there already is refused in several ways. */
async function makeFolder(ask: Ask): Promise<void> {
  const answer = await ask("PROPFIND", "", [207, 404], { headers: { depth: "0" } });
  await answer.body?.cancel();
  if (answer.status === 404) await (await ask("MKCOL", "", [201, 405])).body?.cancel();
}

async function* listFolder(ask: Ask, folder: URL, prefix: string): AsyncGenerator<PlacedFile> {
  const answer = await ask("PROPFIND", "", [207, 404], { headers: { depth: "1" } });
  if (answer.status === 404) {
    await answer.body?.cancel();
    return;
  }
  const { readMembers } = await import("./webdav-members.ts");
  for (const file of readMembers(await answer.text(), folder)) if (file.name.startsWith(prefix)) yield file;
}
