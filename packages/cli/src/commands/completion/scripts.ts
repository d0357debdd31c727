export const SHELLS = ['bash', 'zsh', 'fish'] as const

/**
 * A script for each shell. It asks `plantroom __complete`, so that there is one implementation for all shells. Each reply
 * is a line with a value, and a tab and a meaning where the shell shows one. The line `:file` asks for files.
 */
export const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `# Completes plantroom in Bash.
_plantroom() {
  local reply
  COMPREPLY=()
  while IFS= read -r reply; do
    if [[ $reply == :file ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("$reply")
    fi
  done < <("\${COMP_WORDS[0]}" __complete bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _plantroom plantroom
`,
  zsh: `#compdef plantroom
# Completes plantroom in Zsh.
_plantroom() {
  local -a values shown
  local value about files=0
  while IFS=$'\\t' read -r value about; do
    if [[ $value == :file ]]; then
      files=1
    else
      values+=("$value")
      shown+=("\${value}\${about:+  -- $about}")
    fi
  done < <("\${words[1]}" __complete words "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( \${#values} )) && compadd -l -d shown -a values
  (( files )) && _files
  return 0
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
  _plantroom "$@"
else
  compdef _plantroom plantroom
fi
`,
  fish: `# Completes plantroom in fish.
function __plantroom_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct | string unescape)
    for reply in ($words[1] __complete words $words[2..-1] "$current" 2>/dev/null)
        if test "$reply" = :file
            __fish_complete_path "$current"
        else
            printf '%s\\n' $reply
        end
    end
end
complete -c plantroom -f -a '(__plantroom_complete)'
`,
}
