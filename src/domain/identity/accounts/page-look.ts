import type { Hub } from "../../../hub.ts";
import { changeAccount } from "./accounts.ts";
import type { Account } from "./accounts.ts";

/** How the pages of an account look, by its own choice. */

export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const textSizes = ["large", "larger"] as const;
export type TextSize = (typeof textSizes)[number];

/** What is undefined is left to the browser. */
export type PageLook = { theme: Theme | undefined; textSize: TextSize | undefined };

export function pageLookOf(account: Pick<Account, "account_theme" | "account_text_size">): PageLook {
  return {
    theme: themes.find((one) => one === account.account_theme),
    textSize: textSizes.find((one) => one === account.account_text_size),
  };
}

export async function setPageLook(hub: Hub, accountId: number, { theme, textSize }: PageLook): Promise<void> {
  await changeAccount(hub, accountId, { account_theme: theme ?? "", account_text_size: textSize ?? "" });
}
