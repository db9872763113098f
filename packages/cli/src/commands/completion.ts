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

/** Each script asks `posthorn completion candidates`. If that offers nothing, the shell offers files. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# Load it with: source <(posthorn completion bash)
_posthorn() {
  local word last line before quoted
  local -a typed=()
  # Bash splits ext:acme and --profile=work, and replaces only what stands behind the colon or the sign.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    last=
    [[ \${#typed[@]} -eq 0 ]] || last=\${typed[\${#typed[@]} - 1]}
    if [[ -n $last && ( $word == :* || $last == *: || ( $last == --* && ( $word == = || $last == *= ) ) ) ]]; then
      typed[\${#typed[@]} - 1]+=$word
    else
      typed+=("$word")
    fi
  done
  word=\${typed[\${#typed[@]} - 1]}
  before=
  [[ $COMP_WORDBREAKS != *:* || $word != *[:=]* ]] || before=\${word%"\${word##*[:=]}"}
  COMPREPLY=()
  # Names are chosen by others: the shell must never expand one. compgen -W would.
  while IFS= read -r line; do
    printf -v quoted %q "$line"
    [[ -z $line || $quoted != "$word"* ]] || COMPREPLY+=("\${quoted#"$before"}")
  done < <(posthorn completion candidates -- "\${typed[@]}" 2>/dev/null)
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
