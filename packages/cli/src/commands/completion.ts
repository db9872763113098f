import { type Row, required, type Word } from '../command.ts';
import { candidates } from '../completion/candidates.ts';
import { Usage } from '../failure.ts';

export function completionOf(words: readonly Word[]): readonly Row[] {
  return [
    {
      usage: 'completion <shell> [words...]',
      summary: 'Print a script that completes commands, options, ids and names in bash, zsh or fish',
      examples: ['posthorn completion bash', 'posthorn completion zsh > ~/.zfunc/_posthorn'],
      async run(context, call) {
        const [shell, ...typed] = call.args.map((one) => one ?? '');
        if (shell === 'candidates') {
          const found = await candidates(context, words, typed);
          return context.output.text(found.join('\n'));
        }
        const script = SCRIPTS[required(call, 0)];
        if (script === undefined) throw new Usage('The shell must be bash, zsh or fish');
        context.output.text(script);
      },
    },
  ];
}

/** Each asks the command line itself. Where that has nothing to offer, the shell offers files. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# Load it with: source <(posthorn completion bash)
_posthorn() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(posthorn completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _posthorn posthorn`,
  zsh: `#compdef posthorn
_posthorn() {
  local -a found
  found=("\${(@f)$(posthorn completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[*]}" ]]; then
    compadd -- "\${found[@]}"
  else
    _files
  fi
}
compdef _posthorn posthorn`,
  fish: `# Load it with: posthorn completion fish | source
complete -c posthorn -f -a '(posthorn completion candidates -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};
