import type { Extension, ExtensionJob } from "./extension.ts";

/** How what extensions add is called outside of them. */

export type ExtensionJobName = `x/${string}/${string}`;

export function extensionJobName({ name }: Pick<Extension, "name">, job: string): ExtensionJobName {
  return `x/${name}/${job}`;
}

/** Where a page of an extension is. */
export function extensionPath({ name }: Pick<Extension, "name">, path: string): string {
  return path === "" ? `/x/${name}` : `/x/${name}/${path}`;
}

/** Does a job of this name belong to an extension, known or not? */
export function isExtensionJobName(name: string): name is ExtensionJobName {
  return name.startsWith("x/");
}

/** The job of this name, and whose it is; undefined when its extension is not there or has no such job any more. */
export function findExtensionJob(
  extensions: readonly Extension[],
  name: string,
): { extension: Extension; job: ExtensionJob } | undefined {
  return extensionJobs(extensions).find(({ extension, job }) => extensionJobName(extension, job.name) === name);
}

export function extensionJobs(extensions: readonly Extension[]): { extension: Extension; job: ExtensionJob }[] {
  return extensions.flatMap((extension) => (extension.jobs ?? []).map((job) => ({ extension, job })));
}
