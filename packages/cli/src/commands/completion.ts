import { type Row, required, type Word } from '../command.ts';
import { Usage } from '../failure.ts';

export function completionOf(words: readonly Word[]): readonly Row[] {
  return [
    {
      usage: 'completion <shell>',
      summary: 'Print a script that completes commands in bash, zsh or fish',
      examples: ['posthorn completion bash', 'posthorn completion zsh > ~/.zfunc/_posthorn'],
      async run({ output }, call) {
        const script = SCRIPTS[required(call, 0)];
        if (script === undefined) throw new Usage('The shell must be bash, zsh or fish');
        const below: Record<string, string[]> = {};
        for (const { name, load } of words) {
          below[name] = (await load()).map(({ usage }) => usage.split(' ')[0] ?? '').filter((word) => word !== name);
        }
        output.text(script(below));
      },
    },
  ];
}

type Below = Readonly<Record<string, readonly string[]>>;

const SCRIPTS: Readonly<Record<string, (below: Below) => string>> = {
  bash: (below) => `# Load it with: source <(posthorn completion bash)
_posthorn() {
  local current=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${Object.keys(below).join(' ')}" -- "$current"))
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case \${COMP_WORDS[1]} in
${withWords(below)
  .map(([name, words]) => `      ${name}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$current")) ;;`)
  .join('\n')}
    esac
  fi
}
complete -o default -F _posthorn posthorn`,
  zsh: (below) => `#compdef posthorn
_posthorn() {
  if (( CURRENT == 2 )); then
    compadd -- ${Object.keys(below).join(' ')}
  elif (( CURRENT == 3 )); then
    case $words[2] in
${withWords(below)
  .map(([name, words]) => `      ${name}) compadd -- ${words.join(' ')} ;;`)
  .join('\n')}
      *) _files ;;
    esac
  else
    _files
  fi
}
compdef _posthorn posthorn`,
  fish: (below) => `# Load it with: posthorn completion fish | source
complete -c posthorn -n __fish_use_subcommand -f -a '${Object.keys(below).join(' ')}'
${withWords(below)
  .map(([name, words]) => `complete -c posthorn -n '__fish_seen_subcommand_from ${name}' -f -a '${words.join(' ')}'`)
  .join('\n')}`,
};

function withWords(below: Below): [string, readonly string[]][] {
  return Object.entries(below).filter(([, words]) => words.length > 0);
}
