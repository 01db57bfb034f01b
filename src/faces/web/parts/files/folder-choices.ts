import { listFolders } from "../../../../domain/files/list.ts";
import type { File } from "../../../../domain/files/types.ts";
import type { PageContext } from "../../page.ts";

/** The top level and the folders of somebody's storage that the visitor may see, as choices of a form. */
export async function folderChoices(
  { hub, observer, say }: PageContext,
  uid: number,
  fits: (folder: File) => boolean = () => true,
): Promise<[hash: string, name: string][]> {
  const folders = (await listFolders(hub, observer, uid)).filter(fits);
  return [
    ["", say("files.files-top")],
    ...folders.map((folder): [string, string] => [folder.hash, folder.display_path]),
  ];
}
