import { command } from "./command.ts";
import type { Command, WholeGroup } from "./command.ts";
import { globalOptions, optionsOf, ownName } from "./described-options.ts";
import { UsageError } from "./error-message.ts";

/** By shell: the script that completes commands there. */
export const completions = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const commands = [
  command({
    name: "completion",
    summary: "print what lets a shell complete commands: bash, zsh or fish",
    arguments: { shell: "bash, zsh or fish" },
    run: async ({ groups }, { shell }) => {
      if (!Object.hasOwn(completions, shell)) throw new UsageError(`There is no completion for "${shell}".`);
      return { script: completions[shell as keyof typeof completions](await groups()) };
    },
    print: ({ script }) => script.trimEnd(),
  }),
];

const flags = (row: Command): string[] =>
  [...optionsOf(row).map(({ name }) => name), ...Object.keys(globalOptions)].map((name) => `--${name}`);

/** By the words before: what may stand in the place of the next. */
function bashScript(groups: readonly WholeGroup[]): string {
  const names = groups.map(({ name }) => name).join(" ");
  const cases = groups.flatMap(({ name, commands }) => {
    const own = commands.map((row) => [ownName(row, name), flags(row).join(" ")] as const);
    const others = own.filter(([word]) => word !== "");
    // One of the group's own name takes its options where the names of the others stand.
    const words = own.map(([word, options]) => word || options);
    return [
      ...others.map(([word, options]) => `    "${name} ${word} "*) words="${options}" ;;`),
      `    "${name} "*) words="${words.join(" ")}" ;;`,
    ];
  });
  return `# Completion of hubbub for bash: source it, or put it into /usr/share/bash-completion/completions/hubbub
_hubbub() {
  local words current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[*]:1:COMP_CWORD-1} "
  case "$before" in
${cases.join("\n")}
    " ") words="${names} --help --version --json --data" ;;
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    --data | --out | --to) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
  esac
}
complete -o default -F _hubbub hubbub
`;
}

/** zsh reads what is written for bash. */
function zshScript(groups: readonly WholeGroup[]): string {
  const script = bashScript(groups)
    .replace(/^.*\n/, "")
    .replaceAll(/mapfile -t COMPREPLY < <\((.*?)\) ;;/g, "COMPREPLY=($($1)) ;;");
  return `#compdef hubbub
# Completion of hubbub for zsh: put it into a folder of $fpath as _hubbub, or source it.
autoload -U +X bashcompinit && bashcompinit
${script}`;
}

function fishScript(groups: readonly WholeGroup[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = groups.flatMap(({ name, summary, commands }) => [
    `complete -c hubbub -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...commands.flatMap((row) => {
      const word = ownName(row, name);
      const seen = word === "" ? "" : `; and __fish_seen_subcommand_from ${word}`;
      return [
        ...(word === ""
          ? []
          : [`complete -c hubbub -n '__fish_seen_subcommand_from ${name}' -f -a ${word} -d ${quoted(row.summary)}`]),
        ...optionsOf(row).map(
          (option) =>
            `complete -c hubbub -n '__fish_seen_subcommand_from ${name}${seen}' -l ${option.name}${option.value ? " -r" : ""} -d ${quoted(option.meaning)}`,
        ),
      ];
    }),
  ]);
  const everywhere = Object.entries(globalOptions).map(
    ([name, { value, meaning }]) => `complete -c hubbub -l ${name}${value ? " -r" : ""} -d ${quoted(meaning)}`,
  );
  return `# Completion of hubbub for fish: put it into ~/.config/fish/completions/hubbub.fish\n${[...lines, ...everywhere].join("\n")}\n`;
}
