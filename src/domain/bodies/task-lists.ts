import type { MarkdownIt, StateCore, Token } from "markdown-it";

const box = /^\[([ xX])\](?= )/;

/** Makes `[ ]` and `[x]` at the beginning of a list item a check box, as existing hubs and GitHub do. */
export function taskLists(parser: MarkdownIt): void {
  parser.core.ruler.after("inline", "task_lists", markTasks);
}

function markTasks(state: StateCore): void {
  const lists: Token[] = [];
  for (const [at, token] of state.tokens.entries()) {
    if (isList(token)) {
      if (token.nesting === 1) lists.push(token);
      else lists.pop();
    }
    const item = state.tokens[at - 2];
    if (token.type === "inline" && state.tokens[at - 1]?.type === "paragraph_open" && item?.type === "list_item_open")
      markTask(state, token, item, lists.at(-1));
  }
}

function isList({ type }: Token): boolean {
  return /^(?:bullet|ordered)_list_(?:open|close)$/.test(type);
}

function markTask(state: StateCore, inline: Token, item: Token, list: Token | undefined): void {
  const first = inline.children?.[0];
  const mark = first?.type === "text" ? box.exec(first.content) : null;
  if (!first || !mark) return;
  const checkBox = new state.Token("html_inline", "", 0);
  const checked = mark[1] === " " ? "" : 'checked="" ';
  checkBox.content = `<input class="task-list-item-checkbox" ${checked}disabled="" type="checkbox">`;
  first.content = first.content.slice(mark[0].length);
  inline.children?.unshift(checkBox);
  item.attrSet("class", "task-list-item");
  list?.attrSet("class", "contains-task-list");
}
