import { UsageError } from '../../command.ts'
import { command, verb } from '../../declare.ts'
import { SCRIPTS, SHELLS } from './scripts.ts'

export const completion = command('completion', {
  group: 'self',
  about: 'print a script that completes commands, options and names in a shell',
  notes: `Bash: add  eval "$(plantroom completion bash)"  to ~/.bashrc.
Zsh: write it to a file _plantroom in a folder of $fpath, or add  eval "$(plantroom completion zsh)"  to ~/.zshrc after compinit.
Fish: write it to ~/.config/fish/completions/plantroom.fish.`,
  verbs: {
    '': verb({
      about: 'print a script that completes commands, options, values, and names of sites, devices and so on',
      arguments: [{ name: 'SHELL', choices: SHELLS }],
      options: {},
      async run(_flags, { SHELL }) {
        const shell = SHELLS.find((one) => one === SHELL)
        if (!shell) throw new UsageError(`SHELL must be one of ${SHELLS.join(', ')}, not ${SHELL}`)
        process.stdout.write(SCRIPTS[shell])
      },
    }),
  },
})
