import { isAdministrator } from "../../../domain/identity/accounts/accounts.ts";
import type { ExtensionPage } from "../../../extensions/extension.ts";
import { extensionPath } from "../../../extensions/names.ts";
import type { PageContext } from "../page.ts";

/** The pages of extensions that the menu of whoever looks names. */
export function menuOf({ hub, member }: PageContext): { href: string; label: string; icon: "star" }[] {
  const mayCome = ({ access }: ExtensionPage): boolean =>
    access === "administrator"
      ? member !== undefined && isAdministrator(member.account)
      : access !== "member" || member !== undefined;
  return hub.extensions.flatMap((extension) =>
    (extension.pages ?? []).flatMap((page) =>
      page.menu !== undefined && mayCome(page)
        ? [{ href: extensionPath(extension, page.path), label: page.menu, icon: "star" as const }]
        : [],
    ),
  );
}
